import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAddress } from '../../../src/answer/page-address.js';
import { inventedHeavySections } from '../../support/artifacts.js';
import { openPage, startBrowser, unfold, violationsOf } from '../../support/browser.js';
import { runCli } from '../../support/cli.js';
import { tableFact } from '../../support/facts.js';
import {
  healthyFacts,
  idleLease,
  ranRelease,
  type Situation,
  seenAt,
  writeSituation,
} from '../../support/preflight.js';
import { realIndex, realIndexFile } from '../../support/real-index.js';
import { hostileSections, writeReportMirror } from '../../support/report-mirror.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** In Chromium, as a reader sees it: the largest span there is, and one whose artifacts are hostile. */
let browser: Browser;
const pages: Record<string, string> = {};
const names = ['largest', 'green', 'hostile', 'no', 'unread', 'below', 'stopped'] as const;
type Name = (typeof names)[number];

beforeAll(async () => {
  const folder = temporaryFolder();
  browser = await startBrowser();
  const [real, hostile, breaks, instance] = ['real', 'hostile', 'breaks', 'instance'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  await writeReportMirror(real);
  await writeReportMirror(hostile, hostileSections);
  const isFalse = (version: string) =>
    realIndex().entries.some((entry) => entry.version === version && entry.rollingUpdateSafe === false);
  await writeReportMirror(breaks, (version) => (isFalse(version) ? inventedHeavySections : {}));
  await mkdir(instance);
  await writeSituation(instance, stoppedInstance);
  await writeFile(join(folder, '.env'), 'OLD_NAME=1\n');
  const argv: Record<Name, readonly string[]> = {
    largest: ['0.1893.0', '2.134.2', '--index', real, '--variables', join(folder, '.env')],
    green: ['1.121.0', '1.125.0', '--index', real],
    hostile: ['1.111.0', '1.160.0', '--index', hostile],
    no: ['1.111.0', '2.134.2', '--index', breaks],
    unread: ['1.111.0', '2.134.2', '--index', realIndexFile, '--offline', '--no-cache'],
    below: ['0.1050.0', '0.1894.0', '--index', real],
    stopped: ['2.0.0', '2.2.0', '--index', instance, '--facts', join(instance, 'facts.json')],
  };
  for (const [name, [from = '', to = '', ...more]] of Object.entries(argv)) {
    const file = join(folder, `${name}.html`);
    const span = ['--from', from, '--to', to, ...more];
    const { code } = await runCli(['upgrade-report', ...span, '--format', 'html', '--out', file]);
    expect(code).toBeLessThan(2);
    pages[name] = String(pathToFileURL(file));
  }
});

/** A large table that is rewritten, a release that is false, and a migration that is parked for the target. */
const stoppedInstance: Situation = {
  releases: [
    ranRelease,
    {
      version: '2.1.0',
      migrations: [{ name: '20260901000000_rewrites_projects', tables: ['projects'], does: ['rewrites'] }],
      entry: { rollingUpdateSafe: false },
    },
    {
      version: '2.2.0',
      migrations: [{ name: '20260902000000_looks', tables: ['projects'], does: 'unknown' }],
      entry: { requiredStops: ['2.1.0'] },
    },
  ],
  facts: {
    ...healthyFacts('20260801000000_old'),
    tables: [tableFact({ name: 'projects', heapBytes: 4e9, toastBytes: 0, estimatedRows: 10_000_000 })],
    lease: [{ ...idleLease, parkedAt: seenAt, parkedAppVersion: '2.2.0', parkedMigration: 'a_migration' }],
  },
};

afterAll(async () => {
  await browser?.close();
});

const open = async (name: Name, options: BrowserContextOptions = {}): Promise<Page> =>
  await openPage(browser, pages[name] ?? '', options);

/** Words that stand on more than one line: of headings all, elsewhere versions. */
const brokenWords = `(() => {
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element.closest('script, style, svg, [hidden]')) continue;
    const heading = element.closest('h1, h2, h3, th, dt, summary, legend, .tag, .verdict');
    for (const word of node.data.matchAll(heading ? /\\S+/g : /\\d+\\.\\d+\\.\\d+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
})()`;

/** Texts that nobody sees, but for what stands for pictures. */
const unseen = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { parentElement: around, data } = texts.currentNode;
    if (data.trim() === '' || around.closest('script, style, svg, [hidden]')) continue;
    const range = document.createRange();
    range.selectNode(texts.currentNode);
    const { width, height } = range.getBoundingClientRect();
    if (width * height < 1 || !around.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      found.push(data.trim().slice(0, 80));
  }
  return found;
})()`;

/** As a browser prints it. */
const margin = { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' };

describe('a page', () => {
  it.each(names)(
    '%s: on a phone, on a desk and on paper, nothing is beside it, hidden, or broken inside a word',
    async (name) => {
      const page = await open(name, { viewport: { width: 390, height: 844 } });
      expect(await page.locator('#timeline svg.narrow').isVisible()).toBe(true);
      expect(await page.locator('#timeline svg.wide').isVisible()).toBe(false);
      await unfold(page);
      for (const [width, media, hidden] of [
        [390, 'screen', undefined],
        [1280, 'screen', []],
        // A4 without its margins.
        [718, 'print', undefined],
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ media });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        if (name === 'largest') continue;
        expect(await page.evaluate(brokenWords)).toEqual([]);
        if (hidden !== undefined) expect(await page.evaluate(unseen)).toEqual(hidden);
      }
    },
  );

  it('of which a word would break, or a text be hidden, is found', async () => {
    const page = await open('green', { viewport: { width: 390, height: 844 }, bypassCSP: true });
    await page.addStyleTag({
      content: 'th, h2 { width: 1em; overflow-wrap: anywhere; display: block } dd { opacity: 0 }',
    });
    expect(await page.evaluate(brokenWords)).not.toEqual([]);
    expect(await page.evaluate(unseen)).not.toEqual([]);
  });

  it.each(
    (['green', 'hostile', 'stopped'] as const).flatMap((name) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ name, colorScheme })),
    ),
  )(
    '$name, $colorScheme: has nothing against it by axe, contrast included',
    async ({ name, colorScheme }) => {
      const page = await open(name, { colorScheme, bypassCSP: true });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        colorScheme === 'dark' ? 'rgb(13, 18, 28)' : 'rgb(245, 246, 248)',
      );
      expect(await violationsOf(page)).toEqual([]);
    },
  );

  it('begins with what stops an upgrade of the instance, and what to paste stands by itself', async () => {
    const page = await open('stopped');
    expect(await page.locator('header .headline.bad').textContent()).toMatch(/^Answer: no: /);
    expect(await page.locator('.answers section.no h2').allTextContents()).toContain('Preflight');
    expect(await page.locator('header b').textContent()).toBe('Next:');
    const ids = await page.evaluate<string[]>(
      "[...document.querySelectorAll('main > section[id]')].map(({ id }) => id)",
    );
    expect(ids.slice(0, 4)).toEqual(['decision', 'approval', 'route', 'preflight']);
    expect(await page.locator('#preflight .tag.bad').first().textContent()).toBe('STOP');
    expect(await page.locator('#preflight pre code').first().textContent()).toMatch(
      /^pnpm -F backend migrate-production /,
    );
  });

  it('draws the line of its releases, told apart by height and shape, and counted for the reader of a screen', async () => {
    const page = await open('largest');
    expect(await page.locator('#timeline svg.wide').getAttribute('aria-label')).toBe(
      '498 proven, 74 unsafe, 5 unknown, recent, 3,020 unknown, backfilled',
    );
    expect(await page.locator('#timeline svg.wide .landing').count()).toBe(7);
    await unfold(page);
    const shapes = await page.evaluate(
      '["t","f","u","b"].map((kind) => document.querySelector("#timeline .legend .m-" + kind).getAttribute("d"))',
    );
    expect(new Set(shapes as string[]).size).toBe(4);
  });

  it.each(names.filter((name) => name !== 'hostile'))(
    '%s: what a board decides by, and the form that it signs, are the first sheet',
    async (name) => {
      const page = await open(name, { viewport: { width: 718, height: 1046 } });
      const sheets = (await page.pdf({ format: 'A4', margin })).toString('latin1').match(/\/Type \/Page\b/g);
      await page.evaluate(
        'document.querySelectorAll("#approval ~ *, footer").forEach((part) => part.remove())',
      );
      const first = (await page.pdf({ format: 'A4', margin })).toString('latin1').match(/\/Type \/Page\b/g);
      expect(first).toHaveLength(1);
      expect(sheets?.length).toBeGreaterThan(1);
      expect(await page.locator('#approval dt').allTextContents()).toEqual([
        ...['Decision', 'Window', 'Risks accepted', 'Rollback owner', 'Name, date'],
      ]);
      const told = await page.locator('#decision dt').allTextContents();
      expect(told.length === 0 ? [] : told).toEqual(
        (await page.locator('#timeline .hop').count()) === 0
          ? []
          : ['Steps', 'Downtime', 'Going back', 'Who does what'],
      );
    },
  );

  it('has the answer, the picture and what to do within the first 900 pixels of a phone, and the rest folded', async () => {
    const page = await open('unread', { viewport: { width: 390, height: 844 } });
    const ends = (what: string) =>
      page.evaluate<number>(`document.querySelector(${JSON.stringify(what)}).getBoundingClientRect().bottom`);
    for (const what of ['header', '#timeline svg.narrow']) expect(await ends(what)).toBeLessThan(900);
    expect(await page.locator('header b').textContent()).toBe('Next:');
    expect(await page.locator('section details[open]').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(4259);
    expect((await page.locator('header').textContent())?.match(/Answer: /g)).toHaveLength(1);
  });

  it('leads to the page of the upgrade path only once the project has a home', async () => {
    const page = await open('green');
    expect(await page.locator('nav #page').count()).toBe(pageAddress({}) === undefined ? 0 : 1);
  });

  it('shows hostile text as text', async () => {
    const page = await open('hostile');
    expect(
      await page.locator('img, iframe, a[href^="javascript:"], a[href^="http"]:not(#page)').count(),
    ).toBe(0);
    expect(await page.locator('#rest-api').textContent()).toContain('<script>alert(1)</script></title>');
    expect(await page.title()).toBe(
      'Upgrade report: 1.111.0 → 1.160.0: with downtime only: allowed in one step, not proven to roll',
    );
  });

  it('says once, on top, that no artifact was read, and counts nothing', async () => {
    const page = await open('unread');
    expect(await page.locator('#route dd').nth(1).textContent()).toMatch(
      /^none was read, so what .* is not known; .* index mirror /,
    );
    for (const id of [
      'environment-variables',
      'migrations',
      'rest-api',
      'mcp-tools',
      'declared-advisories',
    ]) {
      expect(await page.locator(`#${id} p`).textContent()).toMatch(/^Not known: no artifact was read\.$/);
    }
    // By the index alone: a direct upgrade, over releases that are not all proven to roll.
    expect(await page.locator('.answers section.no strong').allTextContents()).toEqual(['No']);
  });
});

describe('what makes it a no', () => {
  /** The releases that are there to be seen, in order. */
  const seen =
    '[...new Set([...document.querySelectorAll("#unsafe li, #unknown-recent li, #unknown-backfilled li, #proven li")].filter((line) => line.checkVisibility({ contentVisibilityAuto: true })).map((line) => line.textContent.split(/[ ,]/)[0]))]';

  it('stands first, with what was declared to break; what is proven is folded, and unfolded on paper', async () => {
    const page = await open('no', { colorScheme: 'dark' });
    expect(await page.locator('#approval ~ section[id]').nth(1).getAttribute('id')).toBe('unsafe');
    expect(await page.evaluate(seen)).toHaveLength(0);
    expect(await page.locator('#unsafe summary').textContent()).toMatch(/^8 /);
    expect(await page.locator('#unsafe ul').getByText('old pods still read the column').count()).toBe(7);
    expect(await page.locator('#proven summary').textContent()).toMatch(/^498 /);
    // What is printed and what is looked at are two pages: a browser that has printed may still be about to restore the
    // screen, and one that was told to show paper shows it when it paints next.
    const printed = await open('no', { colorScheme: 'dark' });
    const pdf = (await printed.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.evaluate(seen)).toHaveLength(522);
    expect(
      await page.evaluate('document.querySelector("#proven details ul").getBoundingClientRect().height'),
    ).toBeGreaterThan(1000);
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
  });
});
