/**
 * Escapes text for HTML and SVG that are built as strings: the gateway's front page, mails, pictures, and error pages
 * with few dependencies. Other pages consist of preact elements, which escape text themselves. Pure.
 */

/** The text with special characters escaped, for element content and quoted attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
