/**
 * What scripts add to a report: a search over the releases, a count of those shown, and marks that lead to their
 * release. It reads the page, hides rows and unfolds folded parts, and does nothing else.
 */
export const script = `
'use strict';
(() => {
  const find = (selector) => document.querySelector(selector);
  const search = find('#search');
  const count = find('#count');
  if (!search || !count) return;
  search.parentElement.hidden = false;
  const groups = [...document.querySelectorAll('#releases .group')].map((group) => ({
    group,
    fold: group.querySelector('details'),
    rows: [...group.querySelectorAll('tbody tr')],
    box: document.getElementById(group.id.replace('g-', 'show-')),
  }));
  const all = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const apply = (searched) => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const one of groups) {
      if (words.length > 0) one.texts ??= one.rows.map((row) => row.textContent.toLowerCase());
      let matching = 0;
      one.rows.forEach((row, i) => {
        const matches = words.every((word) => one.texts[i].includes(word));
        if (row.hidden === matches) row.hidden = !matches;
        if (matches) matching++;
      });
      one.group.hidden = matching === 0;
      if (searched && words.length > 0 && matching > 0 && one.fold) one.fold.open = true;
      if (one.box.checked && (!one.fold || one.fold.open)) shown += matching;
    }
    count.textContent = shown.toLocaleString('en') + ' of ' + all.toLocaleString('en') + ' releases shown';
  };
  let waiting;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => apply(true), 80);
  });
  for (const { box, fold } of groups) {
    box.addEventListener('change', () => apply(false));
    fold?.addEventListener('toggle', () => apply(false));
  }
  find('.months')?.addEventListener('click', ({ target }) => {
    const title = target.querySelector?.('title')?.textContent ?? '';
    const row = document.getElementById('r-' + title.split(' ')[0]);
    const fold = row?.closest('details');
    if (fold) fold.open = true;
    if (row) location.hash = row.id;
  });
  // For browsers that do not unfold on paper by style.
  let unfolded = [];
  addEventListener('beforeprint', () => {
    unfolded = [...document.querySelectorAll('details:not([open])')];
    for (const fold of unfolded) fold.open = true;
  });
  addEventListener('afterprint', () => {
    for (const fold of unfolded) fold.open = false;
  });
  apply(false);
})();
`;
