#!/usr/bin/env bash
# Checks what a running cluster can do: images, DNS, Services, network policies, volumes, garbage collection. Usage: verify.sh [CLUSTER]
# Exits with 1 at the first failed check.
set -euo pipefail
name=${1:-sealwright}
cache=${SEALWRIGHT_CACHE_DIR:-$HOME/.cache/sealwright}
export PATH=$cache/bin:$PATH KUBECONFIG=${KUBECONFIG:-$cache/kind/kubeconfig-$name}
k() { kubectl --context "kind-$name" "$@"; }
# check TEXT COMMAND...: the command succeeds now. eventually TEXT COMMAND...: it succeeds within 20 s.
check() {
  local text=$1
  shift
  if "$@" >/dev/null 2>&1; then printf 'ok   %s\n' "$text"; else printf 'FAIL %s\n' "$text"; exit 1; fi
}
within_20_s() { for _ in $(seq 20); do "$@" && return 0; sleep 1; done; return 1; }
eventually() { check "$1" within_20_s "${@:2}"; }
reaches() { k -n "$1" exec "$2" -- /usr/local/bin/probe get "$3" 1; }
blocked() { ! reaches "$@" && k -n "$1" exec "$2" -- /usr/local/bin/probe true; }

dir=$(mktemp -d)
trap 'rm -rf "$dir"; k delete namespace verify-a verify-b --wait=false --ignore-not-found >/dev/null 2>&1 || true' EXIT
k delete namespace verify-a verify-b --ignore-not-found --timeout=90s >/dev/null
cp "$cache/bin/probe" "$dir/"
printf 'FROM scratch\nCOPY probe /usr/local/bin/probe\nUSER 65532:65532\nENTRYPOINT ["/usr/local/bin/probe"]\n' > "$dir/Dockerfile"
DOCKER_BUILDKIT=0 docker build -q -t probe:test "$dir" >/dev/null 2>&1
check "kind load of an image made from scratch" kind load docker-image probe:test --name "$name"
check "nodes Ready" k wait nodes --all --for=condition=Ready --timeout=60s
check "CoreDNS available" k -n kube-system rollout status deployment/coredns --timeout=60s

security='{ runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] }, seccompProfile: { type: RuntimeDefault } }'
pod() { # NAMESPACE NAME
  cat <<YAML
---
apiVersion: v1
kind: Pod
metadata: { name: $2, namespace: $1, labels: { app: $2 } }
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - name: probe
      image: probe:test
      imagePullPolicy: Never
      ports: [{ name: http, containerPort: 8080 }]
      securityContext: $security
YAML
}
for namespace in verify-a verify-b; do
  k create namespace $namespace >/dev/null
  k label namespace $namespace pod-security.kubernetes.io/enforce=restricted >/dev/null
  within_20_s k -n $namespace get serviceaccount default >/dev/null 2>&1
done
{ pod verify-a server; pod verify-a client; pod verify-b stranger; } | k apply -f - >/dev/null
k -n verify-a expose pod server --port 80 --target-port http >/dev/null
check "pods run under restricted Pod Security and seccomp RuntimeDefault" \
  k wait pod -A -l 'app in (server, client, stranger)' --for=condition=Ready --timeout=60s
eventually "Service by short DNS name" reaches verify-a client http://server/
eventually "API server from a pod" reaches verify-a client http://kubernetes.default:443/
eventually "Service across namespaces" reaches verify-b stranger http://server.verify-a.svc.cluster.local/

k -n verify-a apply -f - >/dev/null <<YAML
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: default-deny }
spec: { podSelector: {}, policyTypes: [Ingress, Egress] }
YAML
eventually "NetworkPolicy: default deny holds for another namespace" blocked verify-b stranger http://server.verify-a/
eventually "NetworkPolicy: default deny holds for the same namespace" blocked verify-a client http://server/
k -n verify-a apply -f - >/dev/null <<YAML
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: server }
spec:
  podSelector: { matchLabels: { app: server } }
  ingress:
    - from: [{ podSelector: { matchLabels: { app: client } } }]
      ports: [{ port: http }]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: client }
spec:
  podSelector: { matchLabels: { app: client } }
  policyTypes: [Egress]
  egress:
    - to: [{ namespaceSelector: {}, podSelector: { matchLabels: { k8s-app: kube-dns } } }]
      ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
    - to: [{ podSelector: { matchLabels: { app: server } } }]
      ports: [{ port: 8080 }]
YAML
eventually "NetworkPolicy: the allowed client reaches the server" reaches verify-a client http://server/
check "NetworkPolicy: a stranger stays out" blocked verify-b stranger http://server.verify-a/
check "NetworkPolicy: egress to the API server stays closed" blocked verify-a client http://kubernetes.default:443/

k -n verify-b apply -f - >/dev/null <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 16Mi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: keeper }
spec:
  terminationGracePeriodSeconds: 0
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
  containers:
    - name: probe
      image: probe:test
      imagePullPolicy: Never
      env: [{ name: DATA_DIR, value: /data }]
      volumeMounts: [{ name: data, mountPath: /data }]
      securityContext: $security
YAML
check "PersistentVolumeClaim bound, written by uid 65532" k -n verify-b wait pod/keeper --for=condition=Ready --timeout=90s

k -n verify-b create configmap owner >/dev/null
uid=$(k -n verify-b get configmap owner -o jsonpath='{.metadata.uid}')
k -n verify-b apply -f - >/dev/null <<YAML
apiVersion: v1
kind: ConfigMap
metadata: { name: owned, ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: owner, uid: $uid }] }
YAML
k -n verify-b delete configmap owner >/dev/null
check "garbage collection of an owned object" k -n verify-b wait configmap/owned --for=delete --timeout=30s

k -n verify-b apply -f - >/dev/null <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 0
      containers: [{ name: probe, image: "probe:test", imagePullPolicy: Never, securityContext: $security }]
YAML
check "Deployment rolls out" k -n verify-b rollout status deployment/web --timeout=60s
check "rolling restart" k -n verify-b rollout restart deployment/web
check "roll-out after the restart" k -n verify-b rollout status deployment/web --timeout=60s
logs() { k -n kube-system logs deployment/coredns | grep -q CoreDNS; }
check "logs readable" logs
check "namespaces deleted with all they held" k delete namespace verify-a verify-b --timeout=90s
