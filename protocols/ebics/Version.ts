/** Protocol versions and their namespaces. Source: EBICS 2.5 (H004) and 3.0 (H005), schemas. */

export type Version = "H004" | "H005"

/** Versions in the order of preference. */
export const versions: ReadonlyArray<Version> = ["H005", "H004"]

export const namespaces: Readonly<Record<Version, string>> = { H004: "urn:org:ebics:H004", H005: "urn:org:ebics:H005" }

/** Namespaces of the data of electronic signatures. */
export const signatureNamespaces: Readonly<Record<Version, string>> = {
  H004: "http://www.ebics.org/S001",
  H005: "http://www.ebics.org/S002"
}

/** Namespace of HEV, which is the same for every version. */
export const hevNamespace = "http://www.ebics.org/H000"

/** Namespace of XML signatures. */
export const dsNamespace = "http://www.w3.org/2000/09/xmldsig#"

/** Version of the authentication key; the only one of both protocol versions. */
export const authenticationVersion = "X002"
/** Version of the encryption key; the only one of both protocol versions. */
export const encryptionVersion = "E002"

/** Version of the key for order signatures. A005: RSA with PKCS#1 v1.5; A006: RSA with PSS. */
export type SignatureVersion = "A005" | "A006"

/** The newest version that the bank and this client share. Undefined: there is none. */
export const choose = (offered: ReadonlyArray<string>): Version | undefined =>
  versions.find((version) => offered.includes(version))
