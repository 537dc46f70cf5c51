// Errors stay until they are dismissed, notices go by themselves. Above everything, so that what went wrong in a
// gallery is seen there.
import type { Model } from '../model';
import { h } from './dom';
import { icon } from './icons';

const noticeTime = 3500; // [ms]
const mostErrors = 4;

export function messages(model: Model): HTMLElement {
  const stack = h('div', { class: 'messages', 'aria-label': 'Messages' });

  model.on('error', (text) => {
    // The same error again (a slider in motion) is still one error.
    const same = [...stack.querySelectorAll<HTMLElement>('.error')].find((e) => e.dataset.text === text);
    if (same) {
      const count = Number(same.dataset.count ?? 1) + 1;
      same.dataset.count = String(count);
      same.querySelector('.count')!.textContent = `×${count}`;
      return;
    }
    const card = h('div', { class: 'message error surface', role: 'alert', test: 'error', 'data-text': text },
      icon('warning'), errorText(text), h('span', { class: 'count muted' }),
      h('button', {
        class: 'button', test: 'dismiss', 'aria-label': 'Dismiss', title: 'Dismiss', onclick: () => card.remove(),
      }, icon('close')));
    stack.append(card);
    const all = stack.querySelectorAll('.error');
    if (all.length > mostErrors) all[0].remove();
  });

  model.on('notice', (text) => {
    const card = h('div', { class: 'message notice surface', role: 'status', test: 'notice' },
      icon('info'), h('p', null, text));
    stack.append(card);
    setTimeout(() => {
      card.classList.add('leaving');
      setTimeout(() => card.remove(), 400);
    }, noticeTime);
  });
  return stack;
}

// "FILE: /bodies/0/density: is -3 kg/m³; it must …": what is wrong in words, and below it where.
function errorText(text: string): HTMLElement {
  const parts = /^(?:([^\s:][^:\n]*): )?(\/[^\s:]*): ([\s\S]+)$/.exec(text);
  if (!parts) return h('div', { class: 'message-text' }, h('p', null, text));
  const [, file, pointer, words] = parts;
  return h('div', { class: 'message-text' },
    h('p', null, words.startsWith('is ') ? `${pointer.split('/').pop()} ${words}` : words),
    h('p', { class: 'place' }, file && h('span', { class: 'place-file' }, `${file} `), h('span', null, pointer)));
}
