import type { Cell, HopSteps } from '../src/answer/answer.js';
import { hopTable } from '../src/answer/builders/route/hops.js';
import { headlineOfFailure } from '../src/answer/headline.js';
import { addressOf, formFields, type PageQuestion } from '../src/answer/page-address.js';
import { parseReleaseSafetyIndex } from '../src/core/index/parse-index.js';
import { toFailure } from '../src/core/lightspan-error.js';
import { printable } from '../src/core/text/printable.js';
import { targetNames } from '../src/core/version.js';
import { beforeYouBegin } from '../src/steps/steps.js';
import { capitalize, countOf, formatNumber } from '../src/words/phrase.js';
import { type Child, code, h, list, part, table } from './dom.js';
import { drawPicture, type Picture } from './picture.js';
import { type Data, type Plan, plan, type UsedIndex } from './plan.js';
import { askedIn, commandOf, readQuestion } from './question.js';
import { noticesOf, readFile, readToday } from './source.js';
import { indexOfTable } from './table.js';

const form = part('ask', 'form');
const way = part('picture', 'div');

let data: Data = { used: indexOfPage(), facts: undefined };
let typed: PageQuestion = {};
let shown: Plan | undefined;
let picture: Picture | undefined;
let place = 0;
let width = 0;

form.addEventListener('input', () => {
  typed = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  // A path that can be sent to a colleague, without a step back for every letter.
  location.replace(addressOf(typed));
  answer();
});
form.addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', () => {
  if (location.hash === addressOf(typed)) return;
  fillFromAddress();
  answer();
});

function indexOfPage(): UsedIndex {
  const { source, sha256, table } = JSON.parse(part('index', 'script').textContent ?? '');
  return { index: parseReleaseSafetyIndex(indexOfTable(table)), source, sha256 };
}

function fillFromAddress(): void {
  typed = { to: 'latest', ...askedIn(location.hash) };
  for (const name of formFields) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
      field.value = typed[name] ?? '';
  }
}

function answer(): void {
  for (const field of form.querySelectorAll<HTMLElement>('.helm')) field.hidden = typed.deploy !== 'helm';
  const now = new Date();
  shown = undefined;
  const line = part('line', 'p');
  const facts = part('facts', 'div');
  facts.replaceChildren();
  const notices = part('notices', 'div');
  notices.hidden = true;
  try {
    const said = noticesOf(data, now);
    notices.hidden = said.length === 0;
    notices.replaceChildren(...said.flatMap(({ text }) => [h('p', printable(text)), ' ']));
    if (said.some(({ isOfOldIndex }) => isOfOldIndex)) notices.append(buttonOfToday());
    if (!typed.from?.trim() || !typed.to?.trim()) {
      line.replaceChildren(
        'See in which steps you can upgrade a self-hosted Lightdash, and which of them need downtime: enter the version ',
        'that you run and the one that you want, for example ',
        h('a', { href: '#from=1.198.1&to=latest' }, '1.198.1 to latest'),
        '.',
      );
    } else {
      shown = plan(data, readQuestion(typed), now);
      showAnswer(shown, line, facts);
    }
  } catch (error) {
    const { message, hint, code } = toFailure(error);
    // That no release qualifies is an answer.
    const { tone, text } = headlineOfFailure(message, code === 'nothing-recommended' ? 1 : 2);
    line.replaceChildren(
      h('strong', { class: `headline ${tone}` }, `Answer: ${printable(text)}`),
      ` ${printable(hint ?? '')}`,
    );
  }
  for (const id of ['way', 'hops', 'steps', 'take']) part(id, 'section').hidden = shown === undefined;
  if (shown === undefined) return;
  showHops(shown);
  showSteps(shown.answer.steps);
  showWay(shown);
  showTexts();
}

function showAnswer({ answer, next }: Plan, line: HTMLElement, facts: HTMLElement): void {
  const { headline } = answer;
  // What is against each hop stands below, with the hops.
  const inShort = answer.questions.filter(({ isDetail }) => isDetail !== true);
  document.title = `${answer.title}, Lightdash`;
  line.replaceChildren(
    h('strong', { class: `headline ${headline.tone}` }, `Answer: ${printable(headline.text)}`),
  );
  const said = inShort.filter(({ why }) => why.length > 0);
  const known = [...answer.facts, ...answer.provenance];
  facts.replaceChildren(
    h('p', ...(next === undefined ? [] : [h('b', 'Next: '), printable(next)])),
    ...said.map(({ name, answer, why }) => h('div', h('h3', `${name}: ${answer}`), list(why.map(printable)))),
    h(
      'details',
      h(
        'summary',
        `${countOf(known.length, 'fact')}: ${known.map(({ label }) => label.toLowerCase()).join(', ')}`,
      ),
      h(
        'dl',
        known.map(({ label, text }) => [h('dt', label), h('dd', printable(text))]),
      ),
    ),
  );
}

function buttonOfToday(): HTMLElement {
  const button = h('button', { type: 'button' }, 'Read today’s index');
  button.addEventListener('click', () => change(() => readToday(data)));
  return button;
}

function showHops({ answer }: Plan): void {
  const { columns, rows } = hopTable(answer);
  const issues = answer.hops.map(({ knownIssues, landingIssues }) =>
    [...new Set([...knownIssues, ...landingIssues].map(({ id }) => id))].join(', '),
  );
  const titles = [...columns.map(({ title }) => title), ...(issues.some(Boolean) ? ['Known issues'] : [])];
  const cells = rows.map((row, i) => [...row.map(cellOf), issues[i]].slice(0, titles.length));
  part('hops', 'section').hidden = rows.length === 0;
  const { changes } = answer;
  part('hop-table', 'div').replaceChildren(
    table(titles, cells),
    ...(changes === undefined
      ? []
      : [
          h('h3', 'What changes for you'),
          table(
            changes.columns.map(({ title }) => title),
            changes.rows.map((row) => row.map(cellOf)),
          ),
        ]),
    ...(answer.remarks.length === 0
      ? []
      : [
          h(
            'details',
            h('summary', countOf(answer.remarks.length, 'remark')),
            list(answer.remarks.map(({ text }) => printable(text))),
          ),
        ]),
  );
}

function showSteps(steps: readonly HopSteps[]): void {
  part('steps', 'section').hidden = steps.length === 0;
  const shown = steps.flatMap(({ title, before, steps, toPaste }) => [
    h('p', h('b', title)),
    before.map((text) => h('p', text)),
    toPaste && copyable(() => toPaste.block, 'Copy the commands'),
    h(
      'details',
      h('summary', countOf(steps.length, 'step')),
      h(
        'ol',
        steps.map((step) => h('li', contentOf(step))),
      ),
      toPaste && code(toPaste.block),
    ),
  ]);
  part('step-list', 'div').replaceChildren(h('div', shown));
}

function contentOf({ title, values, notes }: HopSteps['steps'][number]): Child[] {
  const yaml = values && [h('p', printable(beforeYouBegin(values))), code(values.yaml)];
  return [printable(title), yaml, notes.map((note) => h('p', { class: 'soft' }, note))];
}

function showWay({ picture: report, answer }: Plan): void {
  // Its letters are as large as those beside it.
  const size = Number.parseFloat(getComputedStyle(document.body).fontSize) / 15;
  width = way.clientWidth;
  picture = drawPicture(report, {
    index: data.used.index,
    width: Math.max(width, 240) / size,
    deploy: answer.deploy,
  });
  part('way', 'section').hidden = picture.places === 0;
  way.replaceChildren(picture.line);
  way.setAttribute('aria-valuemax', String(picture.places));
  part('legend', 'ul').replaceChildren(
    ...picture.legend.flatMap((one) => (one instanceof Node ? [one] : [])),
  );
  showMonths();
  pointAt(picture.firstPlace);
}

function showMonths(): void {
  const months = part('months', 'details');
  months.querySelector('div')?.remove();
  if (months.open && picture !== undefined) months.append(picture.table());
}

function pointAt(at: number): void {
  if (picture === undefined || picture.places === 0) return;
  place = Math.min(Math.max(at, 0), picture.places - 1);
  const { title, lines: said } = picture.pointAt(place);
  const [heading, told] = part('readout', 'div').children;
  heading?.replaceChildren(title);
  told?.replaceChildren(...said.map((text) => h('li', printable(text))));
  way.setAttribute('aria-valuenow', String(place + 1));
  way.setAttribute('aria-valuetext', [title, ...said].join('. '));
  part('lens', 'div').replaceChildren(picture.lens(place, Math.max(9, Math.floor(width / 24))));
}

let wanted: number | undefined;
/** At most once a frame, however fast the pointer moves. */
function follow({ clientX }: PointerEvent): void {
  const box = way.getBoundingClientRect();
  if (wanted === undefined) {
    requestAnimationFrame(() => {
      pointAt(picture?.placeAt(wanted ?? 0) ?? 0);
      wanted = undefined;
    });
  }
  wanted = (clientX - box.left) / box.width;
}
way.addEventListener('pointermove', follow);
way.addEventListener('pointerdown', follow);
part('lens', 'div').addEventListener('click', ({ target }) => {
  const at = target instanceof Element ? target.closest('[data-place]')?.getAttribute('data-place') : null;
  if (at) pointAt(Number(at));
});
way.addEventListener('keydown', (event) => {
  const end = (picture?.places ?? 1) - 1;
  const page = Math.max(10, Math.round(end / 20));
  const to = {
    ...{ ArrowLeft: place - 1, ArrowDown: place - 1, ArrowRight: place + 1, ArrowUp: place + 1 },
    ...{ PageDown: place - page, PageUp: place + page, Home: 0, End: end },
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  pointAt(to);
});
new ResizeObserver(() => {
  if (shown !== undefined && way.clientWidth !== width) showWay(shown);
}).observe(way);

const texts = {
  command: () => printable(commandOf(typed, data.facts?.source)),
  json: () =>
    shown?.json() ?? 'Not here: a browser computes the checksum of an index only over https or from disk.\n',
  markdown: () => shown?.markdown() ?? '',
};

/** Written when they are looked at: the longest has hundreds of kilobytes. */
function showTexts(): void {
  for (const [id, text] of Object.entries(texts)) {
    const fold = part(id, 'details');
    fold.querySelector('div')?.remove();
    if (fold.open) fold.append(h('div', copyable(text, 'Copy'), code(text())));
  }
}
for (const id of Object.keys(texts)) part(id, 'details').addEventListener('toggle', showTexts);
part('months', 'details').addEventListener('toggle', showMonths);

function showSource(): void {
  const { used, facts } = data;
  const { index, source } = used;
  part('source', 'p').replaceChildren(
    `${formatNumber(index.entries.length)} releases, generated ${index.generatedAt}: ${printable(source)}. `,
    facts === undefined ? 'No facts.' : `Facts of ${facts.file.collectedAt}: ${printable(facts.source)}.`,
  );
  const options = (values: readonly string[]) => values.map((value) => h('option', { value }));
  const newestFirst = index.entries.map(({ version }) => version).reverse();
  form.addEventListener(
    'focusin',
    () => {
      part('releases', 'datalist').replaceChildren(...options(newestFirst));
      part('targets', 'datalist').replaceChildren(...options([...targetNames, ...newestFirst]));
    },
    { once: true },
  );
}

/** Other data: the page keeps what it has until the other is read and found good. */
async function change(read: () => Promise<Partial<Data>>): Promise<void> {
  const fault = part('fault', 'p');
  fault.replaceChildren();
  try {
    data = { ...data, ...(await read()) };
    showSource();
    answer();
  } catch (error) {
    const { message, hint } = toFailure(error);
    fault.replaceChildren(`${capitalize(printable(message))}. ${printable(hint ?? '')}`);
  }
}

part('today', 'button').addEventListener('click', () => change(() => readToday(data)));
part('file', 'input').addEventListener('change', ({ target }) => {
  const [file] = (target instanceof HTMLInputElement && target.files) || [];
  if (file !== undefined) change(() => readFile(file));
});
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (file !== undefined) change(() => readFile(file));
});

function cellOf({ text, tone }: Cell): Child {
  return tone === undefined ? printable(text) : h('span', { class: `tag ${tone}` }, printable(text));
}

function copyable(text: () => string, label: string): HTMLElement {
  const button = h('button', { type: 'button', click: () => copy(text(), button) }, label);
  return button;
}

async function copy(text: string, button: HTMLElement): Promise<void> {
  const before = button.textContent;
  // From a server without https, browsers let no page copy: then the text is selected.
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (!copied && button.nextElementSibling) getSelection()?.selectAllChildren(button.nextElementSibling);
  button.textContent = copied ? 'Copied' : 'Selected';
  setTimeout(() => button.replaceChildren(before ?? ''), 2000);
}

fillFromAddress();
showSource();
answer();
