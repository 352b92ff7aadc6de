/**
 * Makes ESEARCH responses readable for imapflow. The parser of imapflow 2.1.2 accepts a number set only with a space
 * behind it and drops `PARTIAL (1:50 7:56)` (RFC 9394 §4). So a space is inserted. Pure.
 */

/** First bytes of an ESEARCH response. */
export const esearch = "* ESEARCH "

/** A piece of an ESEARCH response, one character per byte. `before`: the character in front of the piece. */
export const readable = (piece: string, before = ""): string =>
  (isDigit.test(before) ? piece.replace(/^\)/, " )") : piece).replace(/(\d)\)/g, "$1 )")

const isDigit = /\d$/
