// Of the self-hosted Renovate: the one command that a repository may have run, to its end. Whether Renovate compares it
// before or after it fills in the versions, they stay inside their quotes.
module.exports = {
  allowedCommands: ["^lightspan upgrade-check --from '[^']+' --to '[^']+' --max-age 7d$"],
};
