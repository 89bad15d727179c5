/**
 * Text that others have written, in a notification of the editor. The editor makes links of `[…](command:…)` there, which run
 * whatever they name when they are clicked: so nothing of it is a link.
 */
export function noticeText(text: string): string {
	return text.replaceAll('](', '] (');
}
