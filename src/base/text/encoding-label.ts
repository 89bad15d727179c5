/** Names of encodings as editors and people write them, and the label by which the platform's decoder knows each. */
const LABELS: Readonly<Record<string, string>> = {
	shiftjis: 'shift_jis',
	sjis: 'shift_jis',
	eucjp: 'euc-jp',
	euckr: 'euc-kr',
	cp949: 'euc-kr',
	gbk: 'gbk',
	gb2312: 'gbk',
	cp936: 'gbk',
	gb18030: 'gb18030',
	big5: 'big5',
	big5hkscs: 'big5',
	cp950: 'big5',
	koi8r: 'koi8-r',
	koi8u: 'koi8-u',
	macroman: 'macintosh',
	cp866: 'ibm866',
	ibm866: 'ibm866',
	latin1: 'iso-8859-1',
};

/** Undefined for those that the bytes of a text tell by themselves, and those that nobody knows. */
export function encodingLabel(name: string): string | undefined {
	const plain = name.toLowerCase().replaceAll(/[-_ ]/g, '');
	const windows = /^(?:windows|cp)(125\d|874)$/.exec(plain)?.[1];
	const iso = /^iso8859(\d{1,2})$/.exec(plain)?.[1];
	return windows === undefined ? (iso === undefined ? LABELS[plain] : `iso-8859-${iso}`) : `windows-${windows}`;
}
