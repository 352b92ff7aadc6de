/**
 * Escapes text for HTML and SVG that are built as strings: the gateway's front page, mails, pictures, and error pages
 * with few dependencies. Other pages consist of preact elements, which escape text themselves. Pure.
 *
 * The library escape-html 1.0.3 takes 0.6 times the time (1.3 µs for 90 characters, Node 24). Its 80 lines would be one
 * more dependency for one line.
 */

/** The text with special characters escaped, for element content and quoted attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
