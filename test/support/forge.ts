import { execFileSync, spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { serve } from './server.js';
import { temporaryFolder } from './temporary-folder.js';

type Body = Record<string, unknown>;

export interface Forge {
  readonly url: string;
  readonly requests: Body[];
  readonly comments: string[];
  readonly statuses: Body[];
  /** Of pull requests that the engine wants merged as soon as checks pass, or now. */
  readonly merges: Body[];
  /** The text of a file on a branch. */
  readonly fileOn: (branch: string, path: string) => string;
  readonly branches: () => string[];
}

/**
 * As much of a Gitea as Renovate asks for: one repository, `acme/infra`, served by git itself, and its pull requests, issues,
 * comments and statuses kept in memory.
 */
export async function startForge(files: Readonly<Record<string, string>>): Promise<Forge> {
  const root = temporaryFolder();
  const bare = join(root, 'acme', 'infra.git');
  const git = (...argv: string[]) => execFileSync('git', ['-C', bare, ...argv], { encoding: 'utf8' });
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  git('config', 'http.receivepack', 'true');
  commitTo(bare, files);

  const requests: Body[] = [];
  const comments: string[] = [];
  const statuses: Body[] = [];
  const merges: Body[] = [];
  const { url } = await serve((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path.startsWith('/acme/infra.git/')) serveGit(root, request, response);
    else void answer(path, request).then(([status, body]) => send(response, status, body));
  });

  const owner = { id: 1, login: 'acme', full_name: 'acme', email: 'acme@example.com' };
  const bot = { id: 2, login: 'renovate', full_name: 'Renovate', email: 'renovate@example.com' };
  const label = { id: 7, name: 'upgrade-hold' };
  const repository = {
    id: 1,
    full_name: 'acme/infra',
    clone_url: `${url}/acme/infra.git`,
    default_branch: 'main',
    allow_merge_commits: true,
    default_merge_style: 'merge',
    has_issues: true,
    has_pull_requests: true,
    owner,
    permissions: { admin: true, pull: true, push: true },
  };

  async function answer(path: string, request: IncomingMessage): Promise<[number, unknown]> {
    const text = await textOf(request);
    const body: Body = text === '' ? {} : JSON.parse(text);
    const route = `${request.method} ${path.replace('/api/v1/', '').replace('repos/acme/infra/', '')}`;
    const of = (pattern: RegExp) => pattern.exec(route);
    const now = '2026-09-06T19:08:42Z';
    if (route === 'GET user') return [200, bot];
    if (route === 'GET version') return [200, { version: '1.24.0' }];
    if (route === 'GET repos/acme/infra') return [200, repository];
    const contents = of(/^GET contents\/(.+)$/)?.[1];
    if (contents !== undefined) {
      const content = fileOn('main', decodeURIComponent(contents));
      if (content === undefined) return [404, {}];
      const encoded = Buffer.from(content).toString('base64');
      return [200, { type: 'file', name: contents, path: contents, content: encoded }];
    }
    if (route === 'GET labels') return [200, [label]];
    if (route === 'GET pulls') return [200, requests];
    if (route === 'POST pulls') {
      const head = String(body.head);
      const pull = {
        number: requests.length + 1,
        state: 'open',
        title: body.title,
        body: body.body,
        mergeable: true,
        merged: false,
        created_at: now,
        updated_at: now,
        base: { ref: 'main' },
        head: { label: head, sha: git('rev-parse', head).trim(), repo: { full_name: 'acme/infra' } },
        user: bot,
        labels: [label].filter(({ id }) => Array.isArray(body.labels) && body.labels.includes(id)),
      };
      requests.push(pull);
      return [201, pull];
    }
    const number = Number(of(/^\w+ pulls\/(\d+)/)?.[1] ?? 0);
    const pull = requests[number - 1];
    if (of(/^POST pulls\/\d+\/merge$/)) {
      merges.push(body);
      return [200, {}];
    }
    if (pull !== undefined && request.method === 'PATCH') Object.assign(pull, body);
    if (pull !== undefined) return [200, pull];
    if (of(/^POST issues\/\d+\/comments$/)) {
      comments.push(String(body.body));
      return [201, { id: comments.length, body: body.body }];
    }
    if (of(/^GET issues\/\d+\/comments$/))
      return [200, comments.map((comment, i) => ({ id: i + 1, body: comment }))];
    if (of(/^POST statuses\//)) {
      statuses.push(body);
      return [201, { id: statuses.length, status: body.state, context: body.context, created_at: now }];
    }
    if (of(/^GET commits\/.*\/statuses$/)) {
      const all = statuses.map(({ state: status, context }, i) => ({
        id: i + 1,
        status,
        context,
        created_at: now,
      }));
      return [200, all];
    }
    if (/^GET (issues|labels|branches|orgs)/.test(route)) return [200, []];
    return [404, { message: route }];
  }

  function fileOn(branch: string, path: string): string | undefined {
    try {
      return git('show', `${branch}:${path}`);
    } catch {
      return undefined;
    }
  }

  return {
    url,
    requests,
    comments,
    statuses,
    merges,
    fileOn: (branch, path) => fileOn(branch, path) ?? '',
    branches: () => git('branch', '--format=%(refname:short)').split('\n').filter(Boolean),
  };
}

/** The first commit of a bare repository. */
function commitTo(bare: string, files: Readonly<Record<string, string>>): void {
  const entries = Object.entries(files).map(([path, content]) => {
    const blob = execFileSync('git', ['-C', bare, 'hash-object', '-w', '--stdin'], {
      input: content,
      encoding: 'utf8',
    });
    return `100644 blob ${blob.trim()}\t${path}\n`;
  });
  const tree = execFileSync('git', ['-C', bare, 'mktree'], { input: entries.join(''), encoding: 'utf8' });
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  const commit = execFileSync('git', ['-C', bare, ...who, 'commit-tree', '-m', 'pin', tree.trim()], {
    encoding: 'utf8',
  });
  execFileSync('git', ['-C', bare, 'update-ref', 'refs/heads/main', commit.trim()]);
}

/** One request of git over HTTP, answered by `git http-backend` as a web server runs it. */
function serveGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'renovate',
      REMOTE_ADDR: '127.0.0.1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.on('close', () => {
    const whole = Buffer.concat(chunks);
    const end = whole.indexOf('\r\n\r\n');
    const headers = whole
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1];
    response.writeHead(
      Number.parseInt(status ?? '200', 10),
      Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
    );
    response.end(whole.subarray(end + 4));
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
