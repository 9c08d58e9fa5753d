/** Words over the parts of an answer, and in its headline. Only what explains them reads this. */
export const headingWords = {
  recommended:
    'The newest release that is old enough (--min-age), has no known issue against it and can be reached. It is a ' +
    'value of --to.',
  accepted:
    'A risk that you decided to live with, by its name: --accept, or accept in lightspan.yaml with a reason. The ' +
    'answer lists it, and never says a bare yes for it.',
  'with-downtime':
    'Allowed, but not proven to roll: all old pods or containers stop before the new ones start.',
  forecast:
    'How long the migrations of the upgrade are expected to take on your database, from its size and the artifacts. ' +
    'It is an estimate, and no limit.',
  facts:
    'What is known of your own instance: measured by upgrade-preflight, read from a file (--facts) or stated (--fact).',
  settings:
    'What lightspan.yaml decides in place of options. lightspan settings shows it and where it comes from.',
  readyz: 'The address at which a running Lightdash says whether it is ready, and why not: /api/v1/readyz.',
} as const;
