/** @throws where npm has installed none for this platform */
export function findBun(): string;
