// Icons, drawn for this page on a grid of 24: strokes of 1.75, round ends. A path that starts with '!' is filled.

const paths = {
  play: ['!M8 5.2v13.6c0 .8.9 1.3 1.6.8l10-6.8c.6-.4.6-1.2 0-1.6l-10-6.8C8.9 3.9 8 4.4 8 5.2z'],
  pause: ['!M7.5 4.5h2.5a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H7.5a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1z',
    '!M14 4.5h2.5a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H14a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1z'],
  step: ['!M6 6v12c0 .7.8 1.1 1.4.7l8-6c.5-.4.5-1 0-1.4l-8-6C6.8 4.9 6 5.3 6 6z', 'M18.5 5.5v13'],
  reset: ['M4.5 12a7.5 7.5 0 1 0 2.6-5.7', 'M4.5 4v4h4'],
  save: ['M12 4v10', 'M8 10.5l4 4 4-4', 'M5 19h14'],
  gallery: ['M5 4.5h5v6H5z', 'M14 4.5h5v4h-5z', 'M5 14.5h5v5H5z', 'M14 12.5h5v7h-5z'],
  sun: ['M12 8.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6z',
    'M12 3v1.8M12 19.2V21M3 12h1.8M19.2 12H21M5.6 5.6l1.3 1.3M17.1 17.1l1.3 1.3M5.6 18.4l1.3-1.3M17.1 6.9l1.3-1.3'],
  moon: ['M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z'],
  help: ['M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1.1-1.4 2.2', 'M12 17.3v.1'],
  panel: ['M5.5 5h13a1.5 1.5 0 0 1 1.5 1.5v11a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5v-11A1.5 1.5 0 0 1 5.5 5z',
    'M14.5 5v14'],
  close: ['M6 6l12 12M18 6L6 18'],
  back: ['M14.5 5.5L8 12l6.5 6.5'],
  chevron: ['M6 9.5l6 6 6-6'],
  search: ['M10.8 4.5a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6z', 'M15.5 15.5L20 20'],
  frame: ['M4.5 9V6A1.5 1.5 0 0 1 6 4.5h3M15 4.5h3A1.5 1.5 0 0 1 19.5 6v3M19.5 15v3a1.5 1.5 0 0 1-1.5 1.5h-3' +
    'M9 19.5H6A1.5 1.5 0 0 1 4.5 18v-3', 'M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z'],
  camera: ['M4.5 8h3l1.6-2.5h5.8L16.5 8h3A1.5 1.5 0 0 1 21 9.5v8a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-8' +
    'A1.5 1.5 0 0 1 4.5 8z', 'M12 10a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6z'],
  record: ['M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z', '!M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z'],
  stop: ['M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
    '!M9.8 9h4.4a.8.8 0 0 1 .8.8v4.4a.8.8 0 0 1-.8.8H9.8a.8.8 0 0 1-.8-.8V9.8A.8.8 0 0 1 9.8 9z'],
  chart: ['M4 4.5v14A1.5 1.5 0 0 0 5.5 20H20', 'M7.5 15l3.5-4.5 3 2.5 4.5-6.5'],
  file: ['M7 3.5h6.5L18.5 8.5V19A1.5 1.5 0 0 1 17 20.5H7A1.5 1.5 0 0 1 5.5 19V5A1.5 1.5 0 0 1 7 3.5z', 'M13.5 3.5v5h5'],
  copy: ['M9.5 8.5h8A1.5 1.5 0 0 1 19 10v8.5a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 8 18.5V10a1.5 1.5 0 0 1 1.5-1.5z',
    'M5 15.5v-10A1.5 1.5 0 0 1 6.5 4H14'],
  check: ['M5 12.5l4.5 4.5L19 7.5'],
  trash: ['M5 7h14M9.5 7V4.5h5V7M6.5 7l.9 12.5h9.2L17.5 7M10.3 10.5v5.5M13.7 10.5v5.5'],
  warning: ['M12 4.5l8.5 15h-17z', 'M12 10v4.5M12 17v.1'],
  info: ['M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z', 'M12 11.2v5M12 8v.1'],
  // Tools
  grab: ['M8 12.5V6.4a1.4 1.4 0 0 1 2.8 0V11M10.8 10.5V5a1.4 1.4 0 0 1 2.8 0v5.5M13.6 10.5V6a1.4 1.4 0 0 1 2.8 0v7' +
    'M16.4 11V9a1.3 1.3 0 0 1 2.6 0v5.5c0 3.6-2.3 6-5.6 6-2.7 0-4.2-1-5.5-3.3L5 12.8a1.4 1.4 0 0 1 2.3-1.6l.7 1'],
  pin: ['M9 4h6M10 4v5.5L7 13v1.5h10V13l-3-3.5V4M12 14.5V20.5'],
  shoot: ['M12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z', 'M12 2.5v5M12 16.5v5M2.5 12h5M16.5 12h5'],
  drop: ['M12 3.5v8M8.5 8.5L12 12l3.5-3.5', 'M5.5 14.5h13v5.5h-13z'],
  select: ['M6 4l12.5 8-5.7 1.2L10 18.5z'],
  remove: ['M9 19.5h10.5', 'M9.5 9.5l6 6',
    'M14.5 4.9l4.6 4.6a1.4 1.4 0 0 1 0 2L11.2 19.5H8.3l-3.4-3.4a1.4 1.4 0 0 1 0-2l9.1-9.2z'],
  orbit: ['M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z',
    'M12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z'],
  plus: ['M12 5v14M5 12h14'],
} as const satisfies Record<string, readonly string[]>;

export type IconName = keyof typeof paths;

export function isIcon(name: string): name is IconName {
  return name in paths;
}

const svgSpace = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(svgSpace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  for (const text of paths[name]) {
    const filled = text.startsWith('!');
    const path = document.createElementNS(svgSpace, 'path');
    path.setAttribute('d', filled ? text.slice(1) : text);
    if (filled) path.setAttribute('class', 'filled');
    svg.append(path);
  }
  return svg;
}

// Two fibres that hold each other: the wordmark's sign.
export function logo(): SVGSVGElement {
  const svg = document.createElementNS(svgSpace, 'svg');
  svg.setAttribute('viewBox', '0 0 32 32');
  svg.setAttribute('class', 'logo');
  svg.setAttribute('aria-hidden', 'true');
  for (const d of ['M4 22C11 22 11 10 16 10s5 12 12 12', 'M4 10c7 0 7 12 12 12s5-12 12-12']) {
    const path = document.createElementNS(svgSpace, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}
