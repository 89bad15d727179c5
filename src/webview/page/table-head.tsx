/** Row of column titles; the roles keep the table one for a screen reader where its layout is narrow. */
export function TableHead({ heads }: { readonly heads: readonly string[] }) {
	return (
		<thead role="rowgroup">
			<tr role="row">
				{heads.map((head) => (
					<th key={head} role="columnheader" scope="col">
						{head}
					</th>
				))}
			</tr>
		</thead>
	);
}
