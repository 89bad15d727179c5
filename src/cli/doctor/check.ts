/** `needed`: without it Prowess does not work; else something is missing that only some work needs. */
export interface DoctorCheckResult {
	readonly name: string;
	readonly ok: boolean;
	readonly needed: boolean;
	readonly detail: string;
	/** Further details, a line each. */
	readonly more?: readonly string[];
}
