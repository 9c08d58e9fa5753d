import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandOf } from '../../page/question.js';
import { addressOf, type PageQuestion } from '../../src/answer/page-address.js';
import { factsText } from '../../src/instance/facts/read-facts.js';
import { unfold, violationsOf } from '../support/browser.js';
import { runCli } from '../support/cli.js';
import { serverFact } from '../support/facts.js';
import { longest, open, size } from '../support/page.js';
import { factsOf, healthyFacts, idleLease, seenAt } from '../support/preflight.js';
import { realIndex, realIndexFile, realIndexText } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Of ten questions, those for a name. */
const names: Readonly<Record<number, string>> = { 3: 'latest-rolling', 6: 'latest', 9: 'recommended' };

/** Spread over the whole index by a fixed rule, with every kind of instance; some ends are no releases. */
function* spans(count: number): Generator<PageQuestion> {
  const { entries } = realIndex();
  let seed = 20_260_906;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const one = <T>(list: readonly T[]) => list[random(list.length)];
  for (let i = 0; i < count; i++) {
    const [a, b] = [random(entries.length), random(entries.length)].sort((x, y) => x - y);
    const to = entries[b ?? 0]?.version;
    const deploy = one([undefined, 'helm', 'compose'] as const);
    yield Object.fromEntries(
      Object.entries({
        from: i % 20 === 7 ? '0.1050.0' : i % 20 === 13 ? '1.3.999' : entries[a ?? 0]?.version,
        to: names[i % 10] ?? to,
        deploy,
        edition: one([undefined, 'community', 'enterprise']),
        'chart-version': deploy === 'helm' ? one([undefined, '2.16.284', '2.8.0']) : undefined,
        'migration-job': deploy === 'helm' ? one([undefined, 'on', 'off']) : undefined,
      }).filter(([, value]) => value !== undefined),
    );
  }
}

describe('the answer', () => {
  it('is that of upgrade-plan --json, for 60 spans', async () => {
    const page = await open();
    await page.evaluate('document.querySelector("#json").open = true');
    let [hops, issues, failures] = [0, 0, 0];
    for (const typed of spans(60)) {
      const shown = await page.evaluate<{ line: string; json: string | undefined; rows: string[][] }>(
        `new Promise((done) => {
          addEventListener('hashchange', () => setTimeout(() => done({
            line: document.querySelector('#line').textContent,
            json: document.querySelector('#take').hidden ? undefined : document.querySelector('#json code')?.textContent ?? 'no text',
            rows: [...document.querySelector('#hops table')?.querySelectorAll('tbody tr') ?? []].map((row) => [...row.cells].slice(0, 4).map((cell) => cell.textContent)),
          })), { once: true });
          location.hash = ${JSON.stringify(addressOf(typed))};
        })`,
      );
      const [, ...argv] = commandOf(typed, undefined).split(' ');
      const { code, stdout, stderr } = await runCli([...argv, '--index', realIndexFile, '--json']);
      if (shown.json === undefined) {
        failures++;
        const [, how = '', why = ''] = /^Answer: (not known|no): (.*?)(?:\. | ?$)/.exec(shown.line) ?? [];
        expect([code, how], shown.line).toEqual(how === 'no' ? [1, 'no'] : [2, 'not known']);
        expect(stdout + stderr).toContain(why);
        continue;
      }
      expect(code, `${argv.join(' ')}: ${stdout.slice(0, 500)}`).toBeLessThan(2);
      const expected = JSON.parse(stdout);
      const found = JSON.parse(shown.json);
      expect(found.index.source).toBe('inside this page');
      found.index.source = expected.index.source;
      expect(found, JSON.stringify(typed)).toEqual(expected);
      expect(shown.rows.map(([, from, to, strategy]) => [from, to, strategy])).toEqual(
        found.hops.map(({ fromVersion, toVersion, strategy, certified }: Record<string, unknown>) => [
          fromVersion,
          toVersion,
          // docker compose never rolls.
          `${typed.deploy === 'compose' ? 'with downtime' : strategy}${certified ? '' : ', unproven'}`,
        ]),
      );
      hops += found.hops.length;
      issues += found.hops.flatMap((hop: { knownIssues: unknown[] }) => hop.knownIssues).length;
    }
    expect(hops).toBeGreaterThan(90);
    expect(issues).toBeGreaterThan(15);
    expect(failures).toBeLessThan(10);
  });

  it('is one file of at most 250 KB', () => {
    expect(size).toBeLessThan(250_000);
  });
});

const helm = { deploy: 'helm', 'chart-version': '2.8.0', 'migration-job': 'on' };
const deployed = { from: '1.100.0', to: '2.0.0', ...helm };

describe('the address', () => {
  it('carries the question, and the question the address', async () => {
    const page = await open(deployed);
    expect(await page.locator('[name=from]').inputValue()).toBe('1.100.0');
    expect(await page.locator('[name=migration-job]').inputValue()).toBe('on');
    await page.locator('[name=to]').fill('latest');
    await page.locator('[name=deploy]').selectOption('');
    expect(await page.evaluate('location.hash')).toBe(
      '#from=1.100.0&to=latest&chart-version=2.8.0&migration-job=on',
    );
    expect(await page.locator('#command code').textContent()).toBe(
      'lightspan upgrade-plan --from 1.100.0 --to latest',
    );
    expect(await page.locator('#steps').isVisible()).toBe(false);
  });

  it.each([
    [{ from: '1.x', to: 'latest' }, '"1.x" is not a release version: it is a range'],
    [{ from: '2.0.0', to: '1.0.0' }, 'Answer: not known: '],
    [{ ...deployed, 'chart-version': '<b>2</b>' }, 'hart-version "<b>2</b>" is not a version X.Y.Z'],
  ])('of %o is no answer, and never a yes', async (typed, said) => {
    const page = await open(typed);
    expect(await page.locator('#line').textContent()).toContain(said);
    expect(await page.locator('#way').isVisible()).toBe(false);
    expect(await page.locator('#line b').count()).toBe(0);
  });
});

describe('the picture', () => {
  it('tells of every part by pointer and by keys, in words of its own table too', async () => {
    const page = await open({ from: '1.100.0', to: '2.134.2' });
    const title = () => page.locator('#readout h3').textContent();
    // Begins where a reader looks first.
    expect(await title()).toBe('1.106.0, 2026-08-07: unsafe');
    expect(await page.locator('#readout li').first().textContent()).toBe('False in the index');
    await page.locator('#picture').focus();
    await page.keyboard.press('End');
    expect(await title()).toBe('2.134.2, 2026-09-06: proven');
    await page.keyboard.press('Home');
    expect(await title()).toMatch(/^1\.100\.1, \d{4}-\d\d-\d\d: unknown, backfilled$/);
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#picture').getAttribute('aria-valuetext')).toMatch(
      /^1\.100\.2, .*Hop 1, 1\.100\.0/,
    );
    // The landing is a third of a pixel wide: it is found from beside it.
    const landing = await page.locator('#picture .version').first().boundingBox();
    await page.mouse.move((landing?.x ?? 0) + (landing?.width ?? 0) / 2 + 2, (landing?.y ?? 0) + 50);
    await expect.poll(title).toMatch(/^1\.111\.0, /);
    expect(await page.locator('#readout li').allTextContents()).toContain(
      'Hop 1, 1.100.0 \u2192 1.111.0, with downtime: ends here, minimum of 1.112.0 and 521 more',
    );
    await page.locator('#months summary').click();
    await expect.poll(() => page.locator('#months tbody tr').count()).toBe(2);
    expect(await page.locator('#months').textContent()).toContain('1.111.0: Hop 1');
    await page.locator('#lens g').first().click();
    expect(await title()).not.toMatch(/^1\.111\.0/);
  });

  it.each([390, 1280])('shows first what is not proven, and says what each hop is: %i', async (width) => {
    const page = await open({ from: '1.100.0', to: '2.134.2' }, { viewport: { width, height: 900 } });
    const bars = await page.evaluate<Record<string, number[]>>(
      `Object.fromEntries(['l-t', 'l-f', 'l-u'].map((name) => [name, [...document.querySelector('#picture .' + name)
        .getAttribute('d').matchAll(/v-(\\d+)h([\\d.]+)/g)].flatMap(([, tall, wide]) => [Number(tall), Number(wide)])]))`,
    );
    for (const name of ['l-f', 'l-u']) {
      const sizes = bars[name] ?? [];
      expect(sizes.length, name).toBeGreaterThan(2);
      expect(Math.min(...sizes), name).toBeGreaterThanOrEqual(3);
      expect(sizes[0], name).toBeGreaterThan(2 * (bars['l-t']?.[0] ?? 0));
    }
    expect(await page.locator('#picture .hop-name').last().textContent()).toBe(
      'Hop 2: 1.111.0 \u2192 2.134.2, with downtime',
    );
    const how = page.locator('#how');
    expect((await how.innerText()).includes('arrow keys')).toBe(width !== 390);
    expect(await page.locator('#legend').textContent()).toContain('chosen release');
  });

  it('shows what the index lacks', async () => {
    const page = await open({ from: '0.1050.0', to: '0.1894.0' });
    expect(await page.locator('#picture .m-gap').count()).toBe(2);
    await page.locator('#picture').focus();
    await page.keyboard.press('Home');
    expect(await page.locator('#readout h3').textContent()).toBe('Gap');
  });

  it('shows the releases whose known issue made a hop land before them', async () => {
    const page = await open({ from: '1.111.0', to: '1.130.0' });
    expect(await page.locator('#picture .mark-issue').count()).toBe(2);
  });
});

describe('what is to be copied', () => {
  it('is what the program prints', async () => {
    const page = await open(deployed, { permissions: ['clipboard-read', 'clipboard-write'] });
    const copied = async (button: string) => {
      await page.locator(button).click();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    const [, ...argv] = commandOf(deployed, undefined).split(' ');
    const run = async (...more: string[]) =>
      (await runCli([...argv, '--index', realIndexFile, ...more])).stdout;
    const [hop] = JSON.parse(await run('--json')).hops;
    expect(await copied('#steps button')).toBe(hop.block);
    expect(await copied('#command button')).toBe(commandOf(deployed, undefined));
    await page.locator('#markdown summary').click();
    expect(await copied('#markdown button')).toBe(await run('--format', 'markdown'));
  });
});

const publicIndex = 'https://raw.githubusercontent.com/lightdash/lightdash/main/release-safety-index.json';

describe('the data', () => {
  const indexOfDay = (day: string) =>
    realIndexText.replace('2026-09-06T18:08:42.053Z', `${day}T19:00:00.000Z`);
  const newer = indexOfDay('2026-09-06');
  it.each([
    ['a newer one', 200, newer, ''],
    ['an older one', 200, indexOfDay('2026-09-05'), 'but the one in this page'],
    ['one from the future', 200, indexOfDay('2027-09-06'), 'is in the future'],
    ['none', 404, 'not found', 'answered with status 404'],
    ['no index', 200, '<script>alert(1)</script>', 'JSON'],
  ])('of today is read on a click alone: %s', async (_, status, body, fault) => {
    const page = await open({ from: '1.121.0', to: '1.125.0' });
    const before = await page.locator('#line').textContent();
    const asked: string[] = [];
    await page.context().route(/^http/, (route) => {
      asked.push(route.request().url());
      return route.fulfill({ status, body, headers: { 'access-control-allow-origin': '*' } });
    });
    page.removeAllListeners('request').removeAllListeners('console');
    await page.locator('#today').click();
    if (fault === '')
      await expect.poll(() => page.locator('#source').textContent()).toContain('T19:00:00.000Z');
    else await expect.poll(() => page.locator('#fault').textContent()).toContain(fault);
    expect(asked).toEqual([publicIndex]);
    // What could not be read changes nothing.
    expect(await page.locator('#line').textContent()).toBe(before);
    expect(await page.locator('#fault script').count()).toBe(0);
  });

  it.each([
    ['broken', '{"schemaVersion": "1"', /is not JSON|invalid JSON|JSON/],
    ['of another form', '{"schemaVersion": "9", "entries": []}', /schemaVersion/],
    ['with markup', '{"schemaVersion":"1","generatedAt":"<img src=x onerror=alert(1)>"}', /<img src=x/],
    ['with a key twice', realIndexText.replace('"entries"', '"entries":[],"entries"'), /twice/],
    ['endless', ' '.repeat(25 * 1024 ** 2), /larger than 25165824 bytes/],
    ['no facts', '{"collectedAt":', /the facts are not JSON/],
    ['future', '{"schemaVersion":"1","collectedAt":"2027-01-01T00:00:00Z","facts":{}}', /is in the future/],
  ])('is refused where a file is %s, in the words of the program', async (_, text, said) => {
    const page = await open(longest);
    const line = await page.locator('#line').textContent();
    const file = join(temporaryFolder(), '<i>.json');
    await writeFile(file, text);
    await page.locator('#file').setInputFiles(file);
    await expect.poll(() => page.locator('#fault').textContent()).toMatch(said);
    expect(await page.locator('#fault *').count()).toBe(0);
    expect(await page.locator('#line').textContent()).toBe(line);
    expect(await page.locator('#source').textContent()).toContain('No facts.');
  });

  it('shows a warning when the index is old, and no answer when it is from the future', async () => {
    const page = await open(longest);
    expect(await page.locator('#notices').isVisible()).toBe(false);
    await page.clock.setFixedTime(new Date('2026-09-20T00:00:00Z'));
    await page.locator('[name=to]').fill('2.134.1');
    expect(await page.locator('#notices').textContent()).toContain('This index is 13 days old');
    expect(await page.locator('#notices button').textContent()).toBe('Read today’s index');
    // The answer stands first, and this below it.
    const top = async (part: string) => (await page.locator(part).boundingBox())?.y ?? 0;
    expect(await top('#notices')).toBeGreaterThan(await top('#line .headline'));
    expect(await page.locator('main .notice').count()).toBe(0);
    await page.clock.setFixedTime(new Date('2026-09-01T00:00:00Z'));
    await page.locator('[name=to]').fill('2.134.2');
    expect(await page.locator('#line').textContent()).toContain('Answer: not known: ');
    expect(await page.locator('#way').isVisible()).toBe(false);
  });

  it('comes from nowhere else: the policy forbids any other request', async () => {
    const page = await open(longest);
    page.removeAllListeners('request').removeAllListeners('console');
    const asked: string[] = [];
    await page.context().route(/^http/, (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    const failed = await page.evaluate(`Promise.all([
      fetch('https://example.com/').then(() => 'fetched', () => 'refused'),
      new Promise((done) => { const image = new Image(); image.onload = () => done('loaded'); image.onerror = () => done('refused'); image.src = 'https://example.com/a.png'; }),
      new Promise((done) => { const script = document.createElement('script'); script.text = 'window.ran = true'; document.body.append(script); done(window.ran ? 'ran' : 'refused'); }),
    ])`);
    expect(failed).toEqual(['refused', 'refused', 'refused']);
    expect(asked).toEqual([]);
  });

  it('completes the versions, the newest first', async () => {
    const page = await open();
    await page.locator('[name=from]').focus();
    expect(await page.locator('#releases option').count()).toBe(3598);
    const targets = await page.evaluate(
      '[...document.querySelectorAll("#targets option")].slice(0, 4).map(({ value }) => value)',
    );
    expect(targets).toEqual(['latest', 'latest-rolling', 'recommended', '2.134.2']);
  });

  it('is a file that is dropped', async () => {
    const page = await open({ from: '1.121.0', to: 'latest' });
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(newer)}], 'mirror.json'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await expect.poll(() => page.locator('#source').textContent()).toContain('mirror.json');
    await page.locator('#json summary').click();
    expect(await page.locator('#json code').textContent()).toContain('"source":"mirror.json"');
  });
});

describe('the facts of an instance', () => {
  const well = healthyFacts('20250101000000_old');
  const parked = { parkedAt: seenAt, parkedAppVersion: '2.134.2', parkedMigration: 'a_migration' };
  it.each([
    ['which is well', well],
    ['that a parked migration stops', { ...well, lease: [{ ...idleLease, ...parked }] }],
    ['with a server that is read only', { ...well, server: { ...serverFact, inRecovery: true } }],
  ])('count as in the program where it reads no artifact: one %s', async (_, facts) => {
    const text = factsText({ schemaVersion: '1', collectedAt: seenAt, facts: factsOf(facts) });
    const file = join(temporaryFolder(), 'facts.json');
    await writeFile(file, text);
    const typed = { from: '1.100.0', to: '2.134.2', edition: 'community', deploy: 'compose' };
    const page = await open(typed);
    await page.locator('#file').setInputFiles(file);
    await expect
      .poll(() => page.locator('#source').textContent())
      .toContain('Facts of 2026-09-06T18:00:00Z: facts.json');
    expect(await page.locator('#command code').textContent()).toBe(
      'lightspan upgrade-plan --from 1.100.0 --to 2.134.2 --fact edition=community --deploy compose --facts facts.json',
    );
    await page.locator('#json summary').click();
    const [, ...argv] = commandOf(typed, file).split(' ');
    const offline = ['--index', realIndexFile, '--offline', '--no-cache', '--json'];
    const { stdout } = await runCli([...argv, ...offline]);
    const expected = JSON.parse(stdout);
    expected.index.source = 'inside this page';
    expected.judgedBy.facts.source = 'facts.json';
    await expect.poll(() => page.locator('#json code').count()).toBe(1);
    expect(JSON.parse((await page.locator('#json code').textContent()) ?? '')).toEqual(expected);
    expect(await page.locator('.headline.bad').count()).toBe(expected.stops.length > 0 ? 1 : 0);
  });
});

describe('for everyone', () => {
  it.each([320, 390, 1280, 2560, 3840])('%i px: nothing beside the screen', async (width) => {
    const page = await open({ ...longest, deploy: 'compose' }, { viewport: { width, height: 900 } });
    await unfold(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const line = await page.locator('#picture svg').boundingBox();
    expect((line?.x ?? 0) + (line?.width ?? width)).toBeLessThan(width);
  });

  it.each([
    ['light', longest],
    ['dark', deployed],
    ['dark', { from: '1.x', to: 'latest' }],
    ['light', {}],
  ] as const)('%s, %o: axe finds nothing', async (colorScheme, typed) => {
    expect(await violationsOf(await open(typed, { colorScheme, bypassCSP: true }))).toEqual([]);
  });

  it('has the answer, what to do and the picture within the first 900 pixels of a phone, and the rest folded', async () => {
    const page = await open(
      { from: '1.98.0', to: 'latest', deploy: 'helm' },
      { viewport: { width: 390, height: 844 } },
    );
    for (const there of ['#answer', '#picture svg']) {
      const end = await page.evaluate<number>(
        `document.querySelector(${JSON.stringify(there)}).getBoundingClientRect().bottom`,
      );
      expect(end, there).toBeLessThan(900);
    }
    expect(await page.locator('#facts b').textContent()).toBe('Next: ');
    expect(await page.locator('#facts summary, #hops summary, #steps summary').allTextContents()).toEqual([
      expect.stringMatching(/^\d+ facts: /),
      expect.stringMatching(/^\d+ remarks$/),
      '5 steps',
    ]);
    expect(await page.locator('#facts').textContent()).not.toMatch(/--deploy|--out/);
  });

  it('says in one sentence what it is, and has one size of control', async () => {
    const page = await open({});
    expect(await page.locator('#line').textContent()).toMatch(
      /^See in which steps [^.]* 1\.198\.1 to latest\.$/,
    );
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('form input, form select')].filter((field) => field.offsetParent !== null)
        .map((field) => Math.round(field.getBoundingClientRect().height))`,
    );
    expect(new Set(heights).size).toBe(1);
  });

  it('stands on paper without what only a screen has', async () => {
    const page = await open(deployed);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['form', '#data', '#steps button']) {
      await expect.poll(() => page.locator(hidden).isVisible()).toBe(false);
    }
    for (const there of ['#line', '#picture svg', '#hops table >> nth=0', '#steps pre >> nth=0']) {
      expect(await page.locator(there).isVisible()).toBe(true);
    }
  });
});
