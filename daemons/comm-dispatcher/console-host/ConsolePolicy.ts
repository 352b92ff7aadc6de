/**
 * What the console's pages may do in a browser: run and show their own files, call us, nothing else. Pure.
 * Sources: CSP Level 3 (W3C), Permissions Policy (W3C).
 */
import { always, defaultPolicy } from "#core/gateway/SecurityHeaders.ts"

/** Scripts and styles from our files only, no inline, no evaluation; the socket is `self`, too. Pictures and sounds may be made in the page. */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "frame-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** On every file of the console. The softphone may ask for the microphone. */
export const consoleHeaders: Readonly<Record<string, string>> = {
  ...always,
  "content-security-policy": consolePolicy,
  "permissions-policy": always["permissions-policy"]!.replace("microphone=()", "microphone=(self)")
}

/** Of a file that is no page: what is in it does nothing by itself. */
export const fileHeaders: Readonly<Record<string, string>> = { ...always, "content-security-policy": defaultPolicy }

/** Where the console shows a mail's page: the file, and the pictures it may load there. `mail-images`: its reader asked for those of the net. */
const mailFrames: Readonly<Record<string, string>> = {
  "/mail.html": "data: blob:",
  "/mail-images.html": "data: blob: http: https:"
}

/** Paths at which the file for a mail's page is answered. */
export const mailFramePaths: ReadonlyArray<string> = Object.keys(mailFrames)

/**
 * What stands in a mail may do nothing: no origin, no network, no script but the file's own (`scriptHash`: SHA-256 of it, base64), no
 * frames and forms; links open a page of their own. It may be framed by the console alone. Not even names of hosts are looked up before
 * somebody follows a link. Pure. Source: CSP Level 3 §6.3 (sandbox), §6.7.3 (hashes).
 */
export const mailFrameHeaders = (path: string, scriptHash: string): Readonly<Record<string, string>> => ({
  ...always,
  "x-frame-options": "SAMEORIGIN",
  "x-dns-prefetch-control": "off",
  "content-security-policy": [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    "style-src 'unsafe-inline'",
    `img-src ${mailFrames[path]}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox"
  ].join("; ")
})
