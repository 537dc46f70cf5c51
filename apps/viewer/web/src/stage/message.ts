// A plain message in the middle of the page, when nothing can be drawn.
let shown: HTMLElement | null = null;

export function showMessage(title: string, text: string): void {
  hideMessage();
  shown = document.createElement('div');
  shown.className = 'stage-message';
  shown.setAttribute('role', 'alert');
  shown.style.cssText =
    'position:fixed;inset:0;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:0.6em;' +
    'padding:2em;text-align:center;font:16px/1.5 system-ui,sans-serif;color:#e8edf4;background:#141921;z-index:50';
  const heading = document.createElement('strong');
  heading.textContent = title;
  const body = document.createElement('span');
  body.style.maxWidth = '36em';
  body.textContent = text;
  shown.append(heading, body);
  document.body.append(shown);
}

export function hideMessage(): void {
  shown?.remove();
  shown = null;
}
