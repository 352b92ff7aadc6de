/** Hash of a key, calculated without the code of the project. Source: EBICS 2.5 §4.4.1.2.3. */
import { createHash, createPublicKey, type KeyObject } from "node:crypto"

/** SHA-256 of exponent and modulus, upper-case hexadecimal digits. */
export const hashOf = (key: KeyObject): string => {
  const { e, n } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" })
  const number = (base64: string) => BigInt(`0x${Buffer.from(base64, "base64url").toString("hex")}`).toString(16)
  return createHash("sha256")
    .update(`${number(e!)} ${number(n!)}`)
    .digest("hex")
    .toUpperCase()
}
