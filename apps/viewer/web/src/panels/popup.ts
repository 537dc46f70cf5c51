// A menu that hangs on a button: opens and closes with it, closes on a choice, on a press elsewhere and on Escape.
export function popup(button: HTMLElement, menu: HTMLElement): void {
  const items = () => [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const set = (open: boolean) => {
    menu.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
  };
  set(false);
  button.addEventListener('click', (event) => {
    set(menu.hidden === true);
    if (!menu.hidden && event.detail === 0) items()[0]?.focus(); // opened by key: go on by key
  });
  menu.addEventListener('click', () => set(false));
  document.addEventListener('pointerdown', (event) => {
    const target = event.target as Node;
    if (!menu.hidden && !menu.contains(target) && !button.contains(target)) set(false);
  });
  menu.addEventListener('keydown', (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') {
      set(false);
      button.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = (at + (event.key === 'ArrowDown' ? 1 : -1) + all.length) % all.length;
      all[next]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
