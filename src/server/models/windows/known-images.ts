/**
 * Models that take pictures, by name, when their vendor says so. For any other model, the answer to a request with a
 * picture shows it.
 */

const TAKES = [
	/^claude-(?!2|instant)/,
	/^(?:gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|chatgpt-4o|o1(?!-mini|-preview)|o3(?!-mini)|o4-mini)/,
	/^gemini-/,
];

const TAKES_NONE = [
	/^(?:gpt-3\.5|o1-mini|o1-preview|o3-mini|codex-mini)/,
	/^claude-(?:2|instant)/,
	/^deepseek-(?:chat|reasoner|coder)/,
];

/** Undefined: nobody knows. */
export function knownToTakeImages(modelId: string): boolean | undefined {
	// Behind a service that sells models of others, the last part is the vendor's own name.
	const name = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase();
	if (TAKES_NONE.some((pattern) => pattern.test(name))) {
		return false;
	}
	return TAKES.some((pattern) => pattern.test(name)) ? true : undefined;
}
