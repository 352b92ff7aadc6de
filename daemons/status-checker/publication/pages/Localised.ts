/** Operators' texts in the reader's language: German in the plain field, English in `_en`. Pure. */
import type { LanguageCode } from "#core/words/TextMemory.ts"

export const nameOf = (
  { name, name_en }: { readonly name: string; readonly name_en: string },
  language: LanguageCode
): string => (language === "de" ? name : name_en)

export const titleOf = (
  { title, title_en }: { readonly title: string; readonly title_en: string },
  language: LanguageCode
): string => (language === "de" ? title : title_en)

export const messageOf = (
  { message, message_en }: { readonly message: string; readonly message_en: string },
  language: LanguageCode
): string => (language === "de" ? message : message_en)
