/** Code of a key that an input method has taken: some browsers end the composition before they report its last key. */
const TAKEN_BY_INPUT_METHOD = 229;

/** True for a key that belongs to an input method, such as the Enter that takes its suggestion. */
export function isComposingKey({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
	return isComposing || keyCode === TAKEN_BY_INPUT_METHOD;
}
