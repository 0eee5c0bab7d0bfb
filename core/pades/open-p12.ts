// Opens a P12 file as a node:crypto key, once at start. P12Signer would parse it for every document and sign in JavaScript, RSA only and
// without signing-certificate-v2; here it only holds the decrypted file.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { P12Signer } from '@signpdf/signer-p12'
import forge from 'node-forge'
import { assembleSigningKey, type OpenedSigningKey, SigningKeyError } from './signing-key.ts'

/** Opens an RSA or EC key with legacy (3DES, RC2) or modern (AES, PBKDF2) encryption. Throws SigningKeyError. */
export function openP12(bytes: Buffer, password: string, now: Date): OpenedSigningKey {
  return new SealP12(bytes, { passphrase: password }).open(now)
}

class SealP12 extends P12Signer {
  open(now: Date): OpenedSigningKey {
    const bags = this.#decrypt()
    const { pkcs8ShroudedKeyBag, keyBag, certBag } = forge.pki.oids
    const keyBags = [...bagsOf(bags, pkcs8ShroudedKeyBag), ...bagsOf(bags, keyBag)]
    const [first, second] = keyBags
    if (!first) throw new SigningKeyError('NO_PRIVATE_KEY', 'The P12 file contains no private key.')
    if (second) throw new SigningKeyError('UNREADABLE', 'The P12 file contains several private keys; keep only one.')
    return assembleSigningKey(toKeyObject(first), bagsOf(bags, certBag).map(toCertificate), now)
  }

  #decrypt(): forge.pkcs12.Pkcs12Pfx {
    try {
      return decryptPfx(forge.asn1.fromDer(this.cert), this.options.passphrase)
    } catch (error) {
      if (isPasswordError(error)) throw new SigningKeyError('WRONG_PASSWORD', 'The password does not open the P12 file.', error)
      throw new SigningKeyError('UNREADABLE', 'The file is not a readable P12 file.', error)
    }
  }
}

// RFC 7292 derives the MAC key from the password in UTF-16, PBES2 the encryption key from UTF-8; forge takes one password for both. Where
// the two differ, the first pass checks the MAC and the second pass skips it.
function decryptPfx(pfx: forge.asn1.Asn1, password: string): forge.pkcs12.Pkcs12Pfx {
  try {
    return forge.pkcs12.pkcs12FromAsn1(pfx, false, password)
  } catch (error) {
    const utf8 = forge.util.encodeUtf8(password)
    if (utf8 === password || !isPasswordError(error) || isMacError(error) || !Array.isArray(pfx.value)) throw error
    return forge.pkcs12.pkcs12FromAsn1({ ...pfx, value: pfx.value.slice(0, 2) }, false, utf8)
  }
}

function isMacError(error: unknown): boolean {
  return error instanceof Error && error.message.includes('MAC')
}

function isPasswordError(error: unknown): boolean {
  return error instanceof Error && /password|Failed to decrypt/i.test(error.message)
}

function bagsOf(pfx: forge.pkcs12.Pkcs12Pfx, bagType: string | undefined): forge.pkcs12.Bag[] {
  return bagType === undefined ? [] : (pfx.getBags({ bagType })[bagType] ?? [])
}

// NOTE: forge supports RSA only; it returns EC keys and certificates as undecoded ASN.1 with `key` or `cert` null.
function toKeyObject(bag: forge.pkcs12.Bag): KeyObject {
  const pkcs8 = bag.key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key)) : bag.asn1
  try {
    return createPrivateKey({ key: toDer(pkcs8), format: 'der', type: 'pkcs8' })
  } catch (error) {
    throw new SigningKeyError('UNSUPPORTED_KEY', 'The type of the private key in the P12 file is not supported.', error)
  }
}

function toCertificate(bag: forge.pkcs12.Bag): Buffer {
  return toDer(bag.cert ? forge.pki.certificateToAsn1(bag.cert) : bag.asn1)
}

function toDer(asn1: forge.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary')
}
