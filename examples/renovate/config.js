// Of the self-hosted Renovate: the one command that a repository may have run.
module.exports = {
  allowedCommands: ['^lightspan upgrade-check '],
};
