/** Limits of uploaded recordings. */

/** Largest file. Unit: bytes. Reason: 3 s of 192 kHz, two channels, 32 bits are 4.6 MB. */
export const maxFile = 5 * 1024 * 1024

/** Files of one request. Reason: the words of one session of recordings. */
export const maxFiles = 20

/** Largest request. Unit: bytes. Reason: it is read into memory; 20 files of 3 s at 48 kHz, stereo, float are 23 MB. */
export const maxUpload = 24 * 1024 * 1024

/** Recordings of a tenant. Reason: 3 s of 16 kHz are 96 KB, so all are at most 200 MB of the database. */
export const maxSamples = 2_000

/** Recordings of each word in the list of words. */
export const shownOfWord = 20

/** Longest file name that is stored, and longest name of a speaker. Unit: UTF-16 units. */
export const maxFileName = 120
export const maxSpeaker = 60

/** Longest field of the form. Unit: bytes. Reason: longer than any word and speaker. */
export const maxField = 1_024
