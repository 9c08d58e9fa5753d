/**
 * What a report gains where scripts run: a search over the releases, a count of those shown, and marks that lead to
 * their release. It reads the page and hides rows, and does nothing else.
 */
export const script = `
'use strict';
(() => {
  const find = (selector) => document.querySelector(selector);
  const rows = [...document.querySelectorAll('#releases tbody tr')];
  const search = find('#search');
  const count = find('#count');
  const boxes = [...document.querySelectorAll('.filter input[type=checkbox]')];
  if (!search || !count) return;
  search.parentElement.hidden = false;
  let texts;
  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    if (words.length > 0) texts ??= rows.map((row) => row.textContent.toLowerCase());
    const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let matching = 0;
    rows.forEach((row, i) => {
      const matches = words.every((word) => texts[i].includes(word));
      if (row.hidden === matches) row.hidden = !matches;
      if (matches && shown.has(row.classList[0])) matching++;
    });
    count.textContent = matching.toLocaleString('en') + ' of ' + rows.length.toLocaleString('en') + ' releases shown';
  };
  let waiting;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 80);
  });
  for (const box of boxes) box.addEventListener('change', apply);
  find('.months')?.addEventListener('click', ({ target }) => {
    const title = target.querySelector?.('title')?.textContent ?? '';
    const row = document.getElementById('r-' + title.split(' ')[0]);
    if (row) location.hash = row.id;
  });
  apply();
})();
`;
