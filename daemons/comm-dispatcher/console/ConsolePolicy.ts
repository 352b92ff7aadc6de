/**
 * What the console's pages may do in a browser: run and show their own files, call us, nothing else. Pure.
 * Sources: CSP Level 3 (W3C), Permissions Policy (W3C).
 */
import { always, defaultPolicy } from "#core/gateway/SecurityHeaders.ts"

/** Scripts and styles from our files only, no inline, no evaluation; the socket is `self`, too. Pictures and sounds may be made in the page. */
export const consolePolicy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self'",
  "media-src 'self' blob:", "frame-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"
].join("; ")

/** On every file of the console. The softphone may ask for the microphone. */
export const consoleHeaders: Readonly<Record<string, string>> = {
  ...always,
  "content-security-policy": consolePolicy,
  "permissions-policy": always["permissions-policy"]!.replace("microphone=()", "microphone=(self)")
}

/** Of a file that is no page: what is in it does nothing by itself. */
export const fileHeaders: Readonly<Record<string, string>> = { ...always, "content-security-policy": defaultPolicy }
