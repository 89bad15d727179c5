/** A message as the beginning of a sentence. What may be a path, a name or code keeps its letters: only a plain word gets a capital. */
export function capitalised(text: string): string {
	return text.replace(
		/^\p{Ll}[\p{L}'’-]*(?=[\s,;:]|[.!?…](?:\s|$)|$)/u,
		(word) => word.charAt(0).toUpperCase() + word.slice(1),
	);
}
