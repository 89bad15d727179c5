/** Date and time of an ISO timestamp in the language of the page, to the second. */
export function localTime(at: string): string {
	const { lang } = document.documentElement;
	return new Date(at).toLocaleString(lang === '' ? [] : lang, { dateStyle: 'short', timeStyle: 'medium' });
}
