/** What a session is known by: the cookie's token is kept nowhere but with the browser. */
import { hash, randomBytes } from "node:crypto"

/** Unit: bytes. Source: interface document 3 §2.2, 64 hex characters. */
const tokenBytes = 32

export const newToken = (): string => randomBytes(tokenBytes).toString("hex")

/** What is stored of a token: SHA-256, 64 hex characters. */
export const storedForm = (token: string): string => hash("sha256", token, "hex")
