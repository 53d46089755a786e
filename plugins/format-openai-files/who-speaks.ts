/** Vendors of this chat format have OpenAI's other endpoints, too, as far as anybody knows: they decide. */
export const whoSpeaks = "openai-chat";
