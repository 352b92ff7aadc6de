/**
 * TLS between the processes of the fleet. Each process has a random key for its cluster port and stores it with its
 * incarnation in the database. The key is a pre-shared key of TLS (RFC 4279): it authenticates both sides and protects
 * the traffic, also on loopback. Only processes that can read our tables know it, and it ends with its process.
 * Certificates are not used.
 */
import { randomBytes } from "node:crypto"
import { createSecureContext } from "node:tls"
import type { RunnerAddress } from "effect/cluster"

/** Length of a key. Unit: bytes. Reason: 256 bits, as for the cipher. */
const keyBytes = 32

/**
 * The only cipher suite. It has a pre-shared key, so a peer with a certificate and without the key cannot connect.
 * ECDHE: recorded traffic stays secret when a key leaks later. Source: RFC 7905.
 */
export const ciphers = "ECDHE-PSK-CHACHA20-POLY1305"

/** TLS 1.2, because in TLS 1.3 a server may answer an offered key with a certificate. */
export const secureContext = createSecureContext({ ciphers, minVersion: "TLSv1.2", maxVersion: "TLSv1.2" })

export const newKey = (): Uint8Array => new Uint8Array(randomBytes(keyBytes))

/** Name of the key in the handshake, and its address in the database: `host:port`. */
export const identityOf = ({ host, port }: RunnerAddress.RunnerAddress): string => `${host}:${port}`
