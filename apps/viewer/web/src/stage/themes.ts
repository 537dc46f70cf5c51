// What is different between dark and light: the background, the ground and the lights.
import { CanvasTexture, SRGBColorSpace } from 'three';

export type ThemeName = 'dark' | 'light';

export interface Theme {
  sky: [string, string, string]; // of the background: above, at the height of the eye, below
  ground: string;
  shade: string; // the ground in a shadow
  grid: string;
  gridOpacity: number;
  hemisphere: { sky: string; ground: string; intensity: number };
  key: number; // how bright the main light is
  fill: number;
  lines: string; // edges and boxes over bodies
  rim: number; // how bright bodies are at their outline
}

export const themes: Record<ThemeName, Theme> = {
  dark: {
    sky: ['#10141c', '#232b38', '#141921'],
    ground: '#2f3742',
    shade: '#1a1f27',
    grid: '#9fb4d0',
    gridOpacity: 0.1,
    hemisphere: { sky: '#c3d4f2', ground: '#3a332e', intensity: 1.15 },
    key: 2.6,
    fill: 0.45,
    lines: '#dfe9f7',
    rim: 0.35,
  },
  light: {
    sky: ['#cfdcec', '#f4f7fb', '#dfe5ec'],
    ground: '#eef1f5',
    shade: '#b4bcc8',
    grid: '#41556e',
    gridOpacity: 0.13,
    hemisphere: { sky: '#ffffff', ground: '#c9bfb2', intensity: 1.7 },
    key: 2.4,
    fill: 0.5,
    lines: '#14202e',
    rim: 0.3,
  },
};

export function backgroundOf(theme: Theme): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = 4;
  canvas.height = 512;
  const context = canvas.getContext('2d')!;
  const gradient = context.createLinearGradient(0, 0, 0, canvas.height);
  theme.sky.forEach((colour, i) => gradient.addColorStop([0, 0.55, 1][i], colour));
  context.fillStyle = gradient;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
