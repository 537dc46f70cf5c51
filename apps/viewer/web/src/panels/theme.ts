// Dark or light: what the reader chose last, or else what their system likes.
import type { Model } from '../model';

const place = 'sinew-theme';

export function rememberTheme(model: Model): void {
  const show = () => (document.documentElement.dataset.theme = model.options.theme);
  let theme = model.options.theme;
  model.on('options', (options) => {
    if (options.theme === theme) return;
    theme = options.theme;
    show();
    try {
      localStorage.setItem(place, theme);
    } catch {
      // Private windows may forbid it; then the choice lasts as long as the page.
    }
  });
  try {
    const chosen = localStorage.getItem(place);
    if ((chosen === 'dark' || chosen === 'light') && chosen !== theme) model.setOptions({ theme: chosen });
  } catch {
    // As above.
  }
  show();
}
