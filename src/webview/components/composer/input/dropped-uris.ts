/** The addresses in what was dropped or pasted. The editor's own list comes first; the system's is the same without it. */
const URI_LIST_TYPES = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

export function readDroppedUris(data: DataTransfer | null): readonly string[] {
	const type = URI_LIST_TYPES.find((name) => data?.types.includes(name) === true);
	const text = type === undefined ? '' : (data?.getData(type) ?? '');
	return text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
}
