// Turns the camera and touches nothing.
import type { Tool } from './tool';

export const orbit: Tool = { name: 'orbit', title: 'Look around', key: '6', cursor: 'move', start: () => ({}) };
