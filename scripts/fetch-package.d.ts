export declare function fetchPackage(
  name: string,
  version: string,
  finish?: (folder: string) => void,
): string;
export declare function fetchNode(version: string): string;
export declare const postgresVersions: Readonly<Record<number, string>>;
export declare function fetchPostgres(major: number | string): string;
