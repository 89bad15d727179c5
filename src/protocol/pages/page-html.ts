/** A page of ours: one script, two style sheets, and a policy that allows nothing else. */

export interface PageFiles {
	/** Face that the script draws into the page. */
	readonly face: 'chat' | 'capabilities' | 'page' | 'ledger' | 'trace';
	readonly scriptUri: string;
	readonly styleUris: readonly string[];
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

export function pageHtml({ face, scriptUri, styleUris, cspSource, nonce, language, title }: PageFiles): string {
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src ${cspSource}`,
		`font-src ${cspSource}`,
		// The chat shows what the user pastes and what tools return, from bytes of its own.
		`img-src ${cspSource}${face === 'chat' ? ' blob:' : ''}`,
		...(face === 'chat' ? ['media-src blob:'] : []),
		"base-uri 'none'",
		"form-action 'none'",
	].join('; ');
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
