/** Message of what was thrown: that of an error, else the value as text. The problems of a schema are said in one line. */
export function toErrorMessage(error: unknown): string {
	if (!(error instanceof Error)) {
		return String(error);
	}
	return 'issues' in error && isIssueList(error.issues) ? joinIssues(error.issues) : error.message;
}

/** Problem of a value, as libraries of schemas have it: their own message is all of them as JSON. */
interface SchemaIssue {
	readonly message: string;
	readonly path?: readonly PropertyKey[];
}

/** Problems of one value that are named; of more the first ones. */
const NAMED_ISSUES = 20;

/** Each problem with its place before it, in one line; of many the first ones. */
export function joinIssues(issues: readonly SchemaIssue[], most = NAMED_ISSUES): string {
	const more = issues.length > most ? `; and ${issues.length - most} more` : '';
	return issues.slice(0, most).map(formatPlacedIssue).join('; ') + more;
}

export function formatPlacedIssue({ path = [], message }: SchemaIssue): string {
	return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
}

function isIssueList(value: unknown): value is readonly SchemaIssue[] {
	const isIssue = (each: unknown) =>
		typeof each === 'object' && each !== null && 'message' in each && typeof each.message === 'string';
	return Array.isArray(value) && value.length > 0 && value.every(isIssue);
}
