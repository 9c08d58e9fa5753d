export declare function fetchPackage(name: string, version: string): string;
export declare function fetchNode(version: string): string;
