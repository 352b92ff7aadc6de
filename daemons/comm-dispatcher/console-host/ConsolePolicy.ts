/**
 * Security headers of the console's pages: they may run and show their own files and call this host. Pure.
 *
 * Sources: CSP Level 3 (W3C), Permissions Policy (W3C).
 */
import { always, defaultPolicy } from "#core/gateway/SecurityHeaders.ts"

/**
 * Scripts and styles from own files only, no inline code and no evaluation; the socket is part of `self`. Pages may
 * create images and sounds.
 */
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

/** Headers of every page. The softphone and the wake word may ask for the microphone. */
export const consoleHeaders: Readonly<Record<string, string>> = {
  ...always,
  "content-security-policy": consolePolicy,
  "permissions-policy": always["permissions-policy"]!.replace("microphone=()", "microphone=(self)")
}

/** Headers of a file that is no page: it may load and run nothing. */
export const fileHeaders: Readonly<Record<string, string>> = { ...always, "content-security-policy": defaultPolicy }

/** Script of the thread that runs the wake word's networks; the build adds a hash to its name. */
const engineThread = /^\/assets\/engineWorker-[\w-]+\.js$/

/**
 * Headers of a file that is no page. A thread has the policy of its own script: only that of the wake word may compile
 * WebAssembly, which it loads from this host. Source: CSP Level 3 §4.2.2, §6.1.10.
 */
export const headersOf = (path: string): Readonly<Record<string, string>> =>
  engineThread.test(path)
    ? {
        ...fileHeaders,
        "content-security-policy":
          "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'"
      }
    : fileHeaders

/**
 * Frames that show an HTML mail, with the image sources they allow. `mail-images`: the reader has allowed images of the
 * internet.
 */
const mailFrames: Readonly<Record<string, string>> = {
  "/mail.html": "data: blob:",
  "/mail-images.html": "data: blob: http: https:"
}

/** Paths of the frames for HTML mails. */
export const mailFramePaths: ReadonlyArray<string> = Object.keys(mailFrames)

/**
 * Headers of an HTML mail's frame: no origin, no network, no script except the file's own (`scriptHash`: its SHA-256,
 * base64), no frames, no forms. Links open a new page. Only the console may frame it. DNS prefetching is off. Pure.
 * Source: CSP Level 3 §6.3 (sandbox), §6.7.3 (hashes).
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
