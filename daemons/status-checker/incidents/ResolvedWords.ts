/** What is said of an incident's end when nobody finds words of their own. */
export const resolvedWords = { message: "Die Störung ist behoben.", message_en: "The incident is resolved." }
