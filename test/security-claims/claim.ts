/**
 * A claim of docs/security.md or README.md with the specs that prove it: a part of its sentence, and of each spec its file and the words
 * of its title. A sentence that is written anew is mapped anew.
 */
export interface Claim {
	/** Text of the claim as the document has it; line breaks may differ. */
	readonly says: string;
	readonly provenBy: readonly (readonly [file: string, title: string])[];
}
