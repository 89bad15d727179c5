/** Names of encodings in the settings of the editor ↔ labels of the platform's decoder. */

const others: Readonly<Record<string, string>> = {
	shiftjis: 'shift_jis',
	eucjp: 'euc-jp',
	euckr: 'euc-kr',
	gbk: 'gbk',
	gb2312: 'gbk',
	gb18030: 'gb18030',
	big5hkscs: 'big5',
	cp950: 'big5',
	koi8r: 'koi8-r',
	koi8u: 'koi8-u',
	macroman: 'macintosh',
	cp866: 'ibm866',
};

/** Undefined for those that the bytes of a text tell by themselves, and those that the platform does not know. */
export function encodingLabel(name: string): string | undefined {
	const windows = /^windows(\d{3,4})$/.exec(name)?.[1];
	const iso = /^iso8859(\d{1,2})$/.exec(name)?.[1];
	return windows === undefined ? (iso === undefined ? others[name] : `iso-8859-${iso}`) : `windows-${windows}`;
}
