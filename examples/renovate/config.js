// For self-hosted Renovate: the one command that a repository may run, matched to its end. Renovate compares it with the
// versions filled in, and runs it without a shell.
module.exports = {
  allowedCommands: [
    "^lightspan upgrade-report --from '[0-9.]+' --to '[0-9.]+' --max-age 7d --format markdown --out '(?:[\\w-][\\w.-]*/)*[\\w-][\\w.-]*\\.upgrade\\.md'$",
  ],
};
