/** Bounds on what a bank may send. Every bound protects memory or time of one fetch; real banks stay far below. */

/**
 * Longest message. Unit: bytes. Reason: a segment has at most 1 MiB of base64 text (EBICS 2.5 §7.1, 3.0 §7.1), and the
 * envelope some KiB; some banks break the base64 text into lines.
 */
export const maxMessage = 2 * 1024 * 1024

/** Deepest nesting of elements of an envelope or of order data. Reason: the schemas nest at most 12 levels deep. */
export const maxDepth = 32

/**
 * Most elements of an envelope or of order data. Reason: an HTD lists every account and order type of the customer;
 * large ones have some 10,000 elements.
 */
export const maxElements = 50_000

/** Longest order data of a key or of HTD and HAA, after inflating. Unit: bytes. Reason: large HTD have 2 MiB. */
export const maxAdminOrderData = 16 * 1024 * 1024

/**
 * Most segments of one download. Reason: 512 segments carry 384 MiB of compressed data, and a day with a million
 * bookings has less than 100 MiB.
 */
export const maxSegments = 512

/**
 * Longest statement data after inflating. Unit: bytes. Reason: it is in memory as a whole, and statements in ZIP files,
 * which are usual, do not grow by inflating.
 */
export const maxOrderData = 512 * 1024 * 1024

/** Shortest RSA key. Unit: bits. Reason: EBICS 2.5 §14 and 3.0 §14; banks refuse shorter keys since 2021. */
export const minRsaBits = 2_048

/** Longest RSA key. Unit: bits. Source: EBICS 2.5 §14.1. */
export const maxRsaBits = 4_096

/** Longest host id, partner id and user id. Unit: characters. Source: ebics_types, `HostIDType` and others. */
export const maxId = 35
