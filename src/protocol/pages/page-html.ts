/** A page of ours: one script, two style sheets, and a policy that allows nothing else. */

export interface PageFiles {
	/** Face that the script draws into the page. */
	readonly face: 'chat' | 'capabilities' | 'page' | 'ledger' | 'trace';
	readonly scriptUri: string;
	readonly styleUris: readonly string[];
	/** The page speaks over a socket to where it comes from; absent: it is sent messages. */
	readonly isConnected?: true;
	/** `webview.cspSource`: where our own files are served from. */
	readonly cspSource: string;
	/** Fresh for every page. */
	readonly nonce: string;
	readonly language: string;
	readonly title: string;
}

/** File of the script that draws it, below `dist/`. */
export function scriptOfFace(face: PageFiles['face']): string {
	return face === 'chat' ? 'webview.js' : 'webview-pages.js';
}

/** Policy that allows a page its own files, and nothing else. */
export function pagePolicy({
	face,
	cspSource,
	nonce,
	isConnected,
}: Omit<PageFiles, 'scriptUri' | 'styleUris' | 'language' | 'title'>): string {
	return [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src ${cspSource}`,
		`font-src ${cspSource}`,
		// The chat shows what the user pastes and what tools return, from bytes of its own; a page, what it is sent of a browser.
		`img-src ${cspSource}${face === 'chat' ? ' blob:' : face === 'page' ? ' data:' : ''}`,
		...(face === 'chat' ? ['media-src blob:'] : []),
		...(isConnected === true ? [`connect-src ${cspSource}`] : []),
		"base-uri 'none'",
		"form-action 'none'",
	].join('; ');
}

export function pageHtml(page: PageFiles): string {
	const { face, scriptUri, styleUris, nonce, language, title } = page;
	const policy = pagePolicy(page);
	const styles = styleUris.map((uri) => `<link rel="stylesheet" href="${escapePageText(uri)}">`).join('\n\t');
	return `<!DOCTYPE html>
<html lang="${escapePageText(language)}">
<head>
	<meta charset="UTF-8">
	<meta name="viewport" content="width=device-width, initial-scale=1.0">
	<meta http-equiv="Content-Security-Policy" content="${escapePageText(policy)}">
	<title>${escapePageText(title)}</title>
	${styles}
</head>
<body>
	<div id="root" data-face="${face}"></div>
	<script nonce="${escapePageText(nonce)}" src="${escapePageText(scriptUri)}"></script>
</body>
</html>`;
}

function escapePageText(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
