import { describe, expect, it } from 'vitest';
import type { TextKind } from '../../../src/pins/kinds/kind.js';
import { placesInText, textKinds } from '../../../src/pins/kinds/kinds.js';
import { treeOfTexts } from '../../../src/pins/pin-tree.js';
import { pinsAtPlaces } from '../../../src/pins/written-pins.js';

/** What the kinds of text find in a file: what each place is called, what it pins, and how it is written. */
async function pinsOf(file: string, text: string, kinds: readonly TextKind[] = textKinds) {
  const source = { file, text, tree: treeOfTexts({ [file]: text }), tagSuffix: undefined, alsoAt: [] };
  const matching = kinds.filter((kind) => kind.matches(file, text, false));
  const found = await Promise.all(
    matching.map(async (kind) => pinsAtPlaces(source, await kind.places(source))),
  );
  return found.flat().filter(({ isOther }) => !isOther);
}

async function told(file: string, text: string) {
  const pins = await pinsOf(file, text);
  return pins.map(({ id, line, side, written = '', offset = -1 }) => {
    expect(text.slice(offset, offset + written.length)).toBe(written);
    expect(text.slice(0, offset).split('\n')).toHaveLength(line ?? 0);
    return `${id} ${side.state === 'pinned' ? side.release.version : side.state}`;
  });
}

const image = 'lightdash/lightdash';

describe('Dockerfile', () => {
  it.each<[what: string, text: string, pins: string[]]>([
    ['a stage', `FROM ${image}:1.2.0\n`, ['FROM 1.2.0']],
    [
      'a named stage',
      `FROM --platform=linux/amd64 ghcr.io/acme/lightdash:v1.2.0 AS web\nFROM web\n`,
      ['FROM.web 1.2.0'],
    ],
    ['two stages', `FROM ${image}:1.2.0\nFROM ${image}:1.3.0\n`, ['FROM 1.2.0', 'FROM.2 1.3.0']],
    ['a default', `ARG V=1.2.0\nFROM ${image}:$V\n`, ['V 1.2.0']],
    ['a default in quotes', `ARG A=1 V="1.2.0"\nFROM ${image}:\${V}\n`, ['V 1.2.0']],
    ['a default that is an image', `ARG IMAGE=${image}:1.2.0\nFROM $IMAGE AS x\n`, ['IMAGE 1.2.0']],
    ['a registry that is given', `ARG R=docker.io\nFROM $R/${image}:1.2.0\n`, ['FROM 1.2.0']],
    ['a line that is joined', `FROM \\\n  ${image}:1.2.0\n`, ['FROM 1.2.0']],
    ['what is copied', `FROM node:20\nCOPY --from=${image}:1.2.0 /a /b\n`, ['COPY 1.2.0']],
    ['no release', `FROM ${image}:latest\n`, ['FROM unreadable']],
    ['no tag', `FROM ${image}\n`, ['FROM unreadable']],
    ['a default with a default', `ARG V=1.2.0\nFROM ${image}:\${V:-1.3.0}\n`, []],
    ['an argument without a default', `ARG V\nFROM ${image}:$V\n`, []],
    ['an argument twice', `ARG V=1.2.0\nARG V=1.3.0\nFROM ${image}:$V\n`, []],
    ['a tag in parts', `ARG V=1.2\nFROM ${image}:$V.0\n`, []],
    ['another image', `FROM node:20.1.0\n# lightdash\n`, []],
    ['a text in a text', `RUN <<EOF\nFROM ${image}:1.2.0\nEOF\n`, []],
  ])('%s', async (_, text, pins) => {
    expect(await told('Dockerfile', text)).toEqual(pins);
  });

  it.each(['docker/Dockerfile.web', 'Containerfile', 'web.Dockerfile'])('is called %s too', async (file) => {
    expect(await told(file, `FROM ${image}:1.2.0\n`)).toEqual(['FROM 1.2.0']);
  });
});

const release = (inside: string, chart = 'lightdash') =>
  `resource "helm_release" "bi" {\n  chart = "${chart}"\n  version = "2.0.1"\n${inside}}\n`;

describe('Terraform', () => {
  it.each<[what: string, text: string, pins: string[]]>([
    [
      'set',
      release('  set {\n    name  = "image.tag"\n    value = "1.2.0"\n  }\n'),
      ['resource.helm_release.bi.set.image.tag 1.2.0'],
    ],
    [
      'set after another',
      release(
        '  set {\n    name = "x"\n    value = "3.0.0"\n  }\n  set {\n    value = "1.2.0"\n    name = "image.tag"\n  }\n',
      ),
      ['resource.helm_release.bi.set.image.tag 1.2.0'],
    ],
    [
      'set as a list',
      release(
        '  set = [\n    { name = "x", value = "3.0.0" },\n    { name = "image.tag", value = "1.2.0" },\n  ]\n',
      ),
      ['resource.helm_release.bi.set.image.tag 1.2.0'],
    ],
    [
      'values in a heredoc',
      release('  values = [<<-EOT\n    image:\n      tag: 1.2.0 # ours\n    EOT\n  ]\n'),
      ['resource.helm_release.bi.values.0.image.tag 1.2.0'],
    ],
    [
      'values of a function',
      release('  values = [yamlencode({ image = { tag = "1.2.0" } })]\n'),
      ['resource.helm_release.bi.values.yamlencode.image.tag 1.2.0'],
    ],
    [
      'values of another part',
      release('  values = [yamlencode({ postgresql = { primary = { image = { tag = "1.2.0" } } } })]\n'),
      [],
    ],
    [
      'another chart',
      release('  # lightdash\n  set {\n    name = "image.tag"\n    value = "1.2.0"\n  }\n', 'grafana'),
      [],
    ],
    [
      'a chart that is not written',
      release('  set {\n    name = "image.tag"\n    value = "1.2.0"\n  }\n').replace(
        '"lightdash"',
        'var.lightdash',
      ),
      [],
    ],
    [
      'a variable',
      'variable "lightdash_version" {\n  type = string\n  default = "1.2.0"\n}\n',
      ['variable.lightdash_version.default 1.2.0'],
    ],
    [
      'a variable of a tag',
      `variable "t" {\n  default = "1.2.0"\n}\nlocals {\n  i = "${image}:\${var.t}"\n}\n`,
      ['variable.t.default 1.2.0'],
    ],
    [
      'a variable that a release takes',
      `variable "t" {\n  default = "1.2.0"\n}\n${release('  set {\n    name = "image.tag"\n    value = var.t\n  }\n')}`,
      ['variable.t.default 1.2.0'],
    ],
    ['a local', 'locals {\n  lightdash_tag = "1.2.0"\n}\n', ['locals.lightdash_tag 1.2.0']],
    ['a map', 'lightdash = {\n  version = "1.2.0"\n  cpu = 2\n}\n', ['lightdash.version 1.2.0']],
    ['an image', `image = "ghcr.io/acme/lightdash:1.2.0"\n`, ['image 1.2.0']],
    [
      'an image in a call',
      `x = jsonencode([{ name = "a", image = "${image}:1.2.0" }])\n`,
      ['x.jsonencode.image 1.2.0'],
    ],
    [
      'containers in JSON',
      `x = <<JSON\n[{"name": "lightdash", "image": "${image}:1.2.0"}]\nJSON\n`,
      ['x.0.image 1.2.0'],
    ],
    [
      'comments',
      `# ${image}:1.0.0\n// ${image}:1.0.0\n/* ${image}:1.0.0 */\nimage = "${image}:1.2.0" # ${image}:1.0.0\n`,
      ['image 1.2.0'],
    ],
    ['what is filled in', `image = "${image}:\${var.x}"\n`, []],
    ['what an operator joins', 'lightdash_version = "1.2.0" + "x"\n', []],
    ['the client', 'lightdash_cli = "1.2.0"\n', []],
    ['what is no HCL', `image = "${image}:1.2.0\n`, []],
  ])('%s', async (_, text, pins) => {
    expect(await told('main.tf', text)).toEqual(pins);
  });

  it.each(['prod.tfvars', 'job.nomad', 'terragrunt.hcl', 'main.tofu'])('reads %s too', async (file) => {
    expect(await told(file, 'lightdash_tag = "1.2.0"\n')).toEqual(['lightdash_tag 1.2.0']);
  });
});

describe('a comment', () => {
  it.each<[what: string, text: string, pins: string[]]>([
    ['on the line', 'TAG=1.2.0 # lightspan: pin\n', ['TAG 1.2.0']],
    ['on the line before', '# lightspan: pin\nexport TAG="v1.2.0"\n', ['TAG 1.2.0']],
    [
      'in other languages',
      '// lightspan: pin\nconst tag = "1.2.0";\n-- lightspan: pin\ntag := 1.3.0\n',
      ['tag 1.2.0', 'tag.2 1.3.0'],
    ],
    ['of an image', `docker run -p 8080:8080 -e X=2.0.0 ${image}:1.2.0 # lightspan: pin\n`, ['pin 1.2.0']],
    [
      'of an image with a digest',
      `run ${image}:1.2.0@sha256:${'a'.repeat(64)} # lightspan: pin\n`,
      ['pin 1.2.0'],
    ],
    ['of two versions', 'A=1.2.0 B=1.3.0 # lightspan: pin\n', []],
    ['of none', 'A=latest # lightspan: pin\n', []],
    ['before another line', '# lightspan: pin\nA=1\nB=1.3.0\n', []],
    ['that is none', 'A=1.2.0 lightspan: pin\n', []],
  ])('%s', async (_, text, pins) => {
    expect(await told('deploy.sh', text)).toEqual(pins);
  });
});

it.each<[what: string, file: string, text: string, pins: string[]]>([
  ['of one kind', 'Dockerfile', `FROM ${image}:1.2.0\n`, ['FROM 1.2.0']],
  ['of two kinds', 'Dockerfile', `# lightspan: pin\nFROM ${image}:1.2.0\n`, ['FROM 1.2.0']],
  [
    'beside another',
    'Dockerfile',
    `FROM ${image}:1.2.0\nENV A=1.3.0 # lightspan: pin\n`,
    ['FROM 1.2.0', 'A 1.3.0'],
  ],
  ['of none', 'deploy.sh', 'A=1.2.0\n', []],
])('a place %s counts once', async (_, file, text, pins) => {
  const source = { file, text, tree: treeOfTexts({ [file]: text }), tagSuffix: undefined, alsoAt: [] };
  const found = pinsAtPlaces(source, await placesInText(source));
  const told = found.map(
    ({ id, side }) => `${id} ${side.state === 'pinned' ? side.release.version : side.state}`,
  );
  expect(told).toEqual(pins);
});
