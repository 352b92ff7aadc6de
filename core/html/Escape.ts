/**
 * Escapes text for HTML and SVG that are built as strings: the gateway's front page, mails, pictures, and pages that
 * must work while the rest is broken. Other pages are preact elements, which escape by themselves. Pure.
 */

/** Safe as text and in quoted attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
