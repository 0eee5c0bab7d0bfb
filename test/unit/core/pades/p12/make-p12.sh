#!/bin/bash
# Makes the P12 files beside it with OpenSSL 3: one throw-away PKI, the password is "secret", but "żółć" for utf8-password.p12.
# Usage: make-p12.sh   (the files are committed; run it only to add one)
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/ca.cnf" <<'C'
[req]
distinguished_name=dn
prompt=no
[dn]
CN=x
[ca]
basicConstraints=critical,CA:TRUE
keyUsage=critical,keyCertSign,cRLSign
subjectKeyIdentifier=hash
[seal]
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature,nonRepudiation
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
[encipher]
basicConstraints=critical,CA:FALSE
keyUsage=critical,keyEncipherment
C

issue() { # name subject extensions issuer, key in $work/$1.key
  openssl req -new -key "$work/$1.key" -out "$work/$1.csr" -subj "$2" -config "$work/ca.cnf" -utf8
  openssl x509 -req -in "$work/$1.csr" -CA "$work/$4.pem" -CAkey "$work/$4.key" -CAcreateserial -out "$work/$1.pem" \
    -days 36500 -extfile "$work/ca.cnf" -extensions "$3" 2>/dev/null
}
newkey() { openssl genpkey -out "$work/$1.key" "${@:2}" 2>/dev/null; }
pack() { # file key extra...
  openssl pkcs12 -export -in "$work/$2.pem" -inkey "$work/$2.key" -certfile "$work/chain.pem" -out "$1.p12" -passout "pass:${password:-secret}" "${@:3}"
}

newkey root -algorithm RSA -pkeyopt rsa_keygen_bits:2048
openssl req -x509 -key "$work/root.key" -out "$work/root.pem" -days 36500 -subj "/O=Fixture/CN=Root" -config "$work/ca.cnf" -extensions ca
newkey issuing -algorithm EC -pkeyopt ec_paramgen_curve:P-384
issue issuing "/O=Fixture/CN=Issuing" ca root
# Root first: the order in the file must not matter.
cat "$work/root.pem" "$work/issuing.pem" > "$work/chain.pem"

newkey rsa -algorithm RSA -pkeyopt rsa_keygen_bits:2048
newkey weak -algorithm RSA -pkeyopt rsa_keygen_bits:1024
newkey p256 -algorithm EC -pkeyopt ec_paramgen_curve:P-256
newkey p384 -algorithm EC -pkeyopt ec_paramgen_curve:P-384
newkey ed25519 -algorithm ED25519
cp "$work/p256.key" "$work/encipher.key"
for name in rsa weak p256 p384 ed25519; do issue "$name" "/C=PL/O=Fixture/CN=Pieczęć $name" seal issuing; done
issue encipher "/O=Fixture/CN=Encipher" encipher issuing

pack rsa-aes rsa -macalg sha256
pack rsa-3des rsa -legacy
pack p256-aes p256 -macalg sha512
pack p256-3des p256 -legacy
pack p384-aes p384
pack plain-bags p256 -keypbe NONE -certpbe NONE
password=żółć pack utf8-password rsa
pack weak weak
pack ed25519 ed25519
pack encipher encipher
openssl pkcs12 -export -nokeys -in "$work/p256.pem" -out no-key.p12 -passout pass:secret
openssl pkcs12 -export -nocerts -inkey "$work/p256.key" -in "$work/p256.key" -out no-certificate.p12 -passout pass:secret
