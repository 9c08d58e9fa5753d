/** Files of compose and the environment that they are read in, as operators have them. */
export interface ComposeCase {
  readonly name: string;
  /** By name; the values of a test's own secrets stand in them. */
  readonly files: Readonly<Record<string, string>>;
  /** Which of them are named, in order. */
  readonly compose: readonly string[];
  readonly envFiles?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What must not be seen anywhere. */
export const canary = 'canary-5f1c2e';

const lightdash = `  lightdash:
    platform: linux/amd64
    image: lightdash/lightdash:1.198.1
    depends_on:
      - db
    environment:
      - PGHOST=\${PGHOST:-db}
      - PGPORT=\${PGPORT:-5432}
      - PGUSER=\${PGUSER:-postgres}
      - PGPASSWORD=\${PGPASSWORD:-password}
      - PGDATABASE=\${PGDATABASE:-postgres}
      - LIGHTDASH_SECRET=\${LIGHTDASH_SECRET}
      - PORT=\${PORT:-8080}
      - S3_ENDPOINT=\${S3_ENDPOINT}
    volumes:
      - '\${DBT_PROJECT_DIR}:/usr/app/dbt'
    ports:
      - '\${PORT:-8080}:\${PORT:-8080}'
`;

const database = (image: string) => `  db:
    image: ${image}
    restart: always
    environment:
      POSTGRES_PASSWORD: \${PGPASSWORD:-password}
      POSTGRES_USER: \${PGUSER:-postgres}
      POSTGRES_DB: \${PGDATABASE:-postgres}
    volumes:
      - db-data:/var/lib/postgresql/data
`;

const browser = `  headless-browser:
    image: browserless/chrome
    restart: always
    ports:
      - "3001:3000"
`;

const dotEnv = `# Lightdash
PGPASSWORD=${canary}
LIGHTDASH_SECRET="${canary} with blanks" # keep it
DBT_PROJECT_DIR=./dbt
export S3_ENDPOINT='http://minio:9000'
`;

function byTime(image: string, more = ''): string {
  return `version: '3.8'\nservices:\n${lightdash}${database(image)}${browser}${more}volumes:\n  db-data:\n`;
}

const one = 'docker-compose.yml';

export const composeCases: readonly ComposeCase[] = [
  {
    name: 'to 2023-09-19, a floating database',
    files: { [one]: byTime('postgres'), '.env': dotEnv },
    compose: [one],
  },
  { name: 'from 2023-09-19', files: { [one]: byTime('postgres:15.4'), '.env': dotEnv }, compose: [one] },
  {
    name: 'with pgvector',
    files: { [one]: byTime('pgvector/pgvector:pg15'), '.env': dotEnv },
    compose: [one],
  },
  {
    name: 'a broken one: latest, nothing in .env, a worker of another release',
    files: {
      [one]: byTime(
        'postgres',
        '  scheduler:\n    image: ghcr.io/lightdash/lightdash:1.190.0\n    entrypoint: node dist/scheduler.js\n',
      ).replace('lightdash:1.198.1', 'lightdash:latest'),
    },
    compose: [one],
    env: { DBT_PROJECT_DIR: './dbt' },
  },
  {
    name: 'the environment before .env, names without values',
    files: {
      [one]: `services:
  lightdash:
    image: lightdash/lightdash:\${TAG}
    environment:
      - TAG
      - UNSET_ANYWHERE
      - FROM_SHELL
      - EMPTY_IN_FILE
      - EMPTY=
  worker:
    image: lightdash/lightdash:\${TAG}
    entrypoint: ["node", "dist/scheduler.js"]
    environment:
      TAG:
      UNSET_ANYWHERE:
      N: 1
      F: 1.50
      T: true
      NOTHING: ""
`,
      '.env': `TAG=1.0.0\nEMPTY_IN_FILE=\nFROM_SHELL=x\n`,
    },
    compose: [one],
    env: { TAG: '1.198.1', FROM_SHELL: canary },
  },
  {
    name: '--env-file in place of .env, the later one first',
    files: {
      'compose.yml': `services:\n  lightdash:\n    image: lightdash/lightdash:\${A}\${B}\${C}\n`,
      '.env': 'A=9\nB=9\nC=9\n',
      'one.env': 'A=1\nB=1\n',
      'two.env': 'B=2\n',
    },
    compose: ['compose.yml'],
    envFiles: ['one.env', 'two.env'],
  },
  {
    name: 'limits and policies as people write them',
    files: {
      'compose.yml': `services:
  a:
    image: r.io:5000/x/lightdash:1.0.0@sha256:${'a'.repeat(64)}
    pull_policy: if_not_present
    mem_limit: 2gb
    deploy: {resources: {limits: {memory: 2g}}}
    scale: 2
  b:
    build: .
    pull_policy: build
    stop_grace_period: 10s
    mem_limit: 1073741824
  migrate:
    image: lightdash/lightdash:1.0.0
    entrypoint: pnpm -F backend migrate-production up
    restart: "no"
`,
    },
    compose: ['compose.yml'],
  },
];
