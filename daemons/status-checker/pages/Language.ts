/** In which language somebody is answered. Pure. Source of the order: interface document 3 §4.1. */
export type Language = "de" | "en"
