// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VerificationTest} from "./VerificationTest.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IAccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/IAccessControlEnumerable.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {CoreSwap} from "src/CoreSwap.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";

/// @notice Makes every check of the verification fail by a drift, except those of the LPs ({LpVerificationTest}).
contract DeployVerificationTest is VerificationTest {
    bytes32 private constant INITIALIZABLE_SLOT = 0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00;
    bytes32 private constant USDX = "USDX";
    bytes32 private constant USDY = "USDY";
    bytes32 private constant TRSY = "TRSY";
    bytes32 private constant TBILL = "TBILL";
    bytes32 private constant CREDIT = "CREDIT";

    function test_Verify_NoDrift_Passes() public view {
        script.verify(_config(), d, DEPLOYER);
    }

    function test_Verify_RoleHeldBySomeoneElse_NamesTheRole() public {
        _assertExtraHolder(address(d.coreSwap), 0, "CoreSwap DEFAULT_ADMIN_ROLE");
        _assertExtraHolder(address(d.coreSwap), keccak256("OPERATOR_ROLE"), "CoreSwap OPERATOR_ROLE");
        _assertExtraHolder(address(d.coreSwap), keccak256("BLACKLISTER_ROLE"), "CoreSwap BLACKLISTER_ROLE");
        _assertExtraHolder(address(d.coreSwap), keccak256("EXTERNAL_PAUSER_ROLE"), "CoreSwap EXTERNAL_PAUSER_ROLE");
        _assertExtraHolder(address(d.treasury), 0, "Treasury DEFAULT_ADMIN_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("OPERATOR_ROLE"), "Treasury OPERATOR_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("PAUSER_ROLE"), "Treasury PAUSER_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("WHITELISTER_ROLE"), "Treasury WHITELISTER_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("BLACKLISTER_ROLE"), "Treasury BLACKLISTER_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("MINTER_ROLE"), "Treasury MINTER_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("BRIDGE_ROLE"), "Treasury BRIDGE_ROLE");
        _assertExtraHolder(address(d.treasuryDelegate), 0, "TRSY delegate's DEFAULT_ADMIN_ROLE");
        _assertExtraHolder(address(d.treasuryDelegate), keccak256("PAUSE_ROLE"), "TRSY delegate's PAUSE_ROLE");
        _assertExtraHolder(address(d.treasuryDelegate), keccak256("OPERATOR_ROLE"), "TRSY delegate's OPERATOR_ROLE");
        _assertExtraHolder(
            address(d.treasuryDelegate), keccak256("RATE_POSTER_ROLE"), "TRSY delegate's RATE_POSTER_ROLE"
        );
        _assertExtraHolder(address(d.delegates[1]), 0, "USDY delegate's DEFAULT_ADMIN_ROLE");
        _assertExtraHolder(address(d.delegates[1]), keccak256("PAUSE_ROLE"), "USDY delegate's PAUSE_ROLE");
        _assertExtraHolder(address(d.navAdapters[1]), 0, "CREDIT's NAV admin");
        _assertExtraHolder(address(d.navAdapters[0]), keccak256("NAV_POSTER_ROLE"), "TBILL's NAV poster");
    }

    function test_Verify_RoleHeldByNobody_NamesTheRole() public {
        bytes32 role = keccak256("CORE_SWAP_CONTRACT");
        bytes memory count = abi.encodeCall(IAccessControlEnumerable.getRoleMemberCount, (role));
        _assertRead(address(d.delegates[0]), count, abi.encode(0), "USDX delegate's CORE_SWAP_CONTRACT");
        _assertCall(
            admin,
            address(d.treasury),
            abi.encodeCall(IAccessControl.revokeRole, (d.treasury.MINTER_ROLE(), address(d.treasuryDelegate))),
            "Treasury MINTER_ROLE"
        );
    }

    function test_Verify_RoleAdminOfAnother_NamesTheRole() public {
        bytes memory query = abi.encodeCall(IAccessControl.getRoleAdmin, (keccak256("MINTER_ROLE")));
        _assertRead(address(d.treasury), query, abi.encode(0), "Treasury MINTER_ROLE's admin");
        query = abi.encodeCall(IAccessControl.getRoleAdmin, (keccak256("BRIDGE_ROLE")));
        _assertRead(address(d.treasury), query, abi.encode(0), "Treasury BRIDGE_ROLE's admin");
    }

    function test_Verify_OtherImplementationOrUnlocked_NamesTheProxy() public {
        address[4] memory proxies =
            [address(d.coreSwap), address(d.treasury), address(d.treasuryDelegate), address(d.delegates[0])];
        string[4] memory names = ["CoreSwap", "Treasury", "TRSY delegate's", "USDX delegate's"];
        for (uint256 i; i < proxies.length; ++i) {
            bytes32 implementation = vm.load(proxies[i], ERC1967Utils.IMPLEMENTATION_SLOT);
            // Uses the words of another proxy's implementation, so that reads succeed until the check is reached.
            _assertWord(
                proxies[i],
                ERC1967Utils.IMPLEMENTATION_SLOT,
                bytes32(uint256(uint160(_cloneOf(address(uint160(uint256(implementation))))))),
                string.concat(names[i], " implementation")
            );
            _assertWord(
                address(uint160(uint256(implementation))),
                INITIALIZABLE_SLOT,
                0,
                string.concat(names[i], " implementation's lock")
            );
            _assertWord(proxies[i], INITIALIZABLE_SLOT, bytes32(uint256(2)), string.concat(names[i], " initialization"));
        }
    }

    function test_Verify_CoreSwapDrifts_NamesTheSetting() public {
        CoreSwap core = d.coreSwap;
        _assertCall(admin, address(core), abi.encodeCall(core.setCoreVault, (admin)), "CoreSwap vault");
        _assertCall(admin, address(core), abi.encodeCall(core.setMaxSwapLegs, (11)), "CoreSwap maxSwapLegs");
        _assertCall(admin, address(core), abi.encodeCall(core.setSpreadProtocolTakeRate, (1)), "CoreSwap take rate");
        _assertCall(admin, address(core), abi.encodeCall(core.pause, ()), "CoreSwap paused");
    }

    function test_Verify_TreasuryDrifts_NamesTheSetting() public {
        Treasury token = d.treasury;
        address target = address(token);
        _assertRead(target, abi.encodeCall(token.symbol, ()), abi.encode("OTHER"), "Treasury symbol");
        _assertRead(target, abi.encodeCall(token.totalSupply, ()), abi.encode(1), "Treasury supply");
        _assertCall(admin, target, abi.encodeCall(token.pause, ()), "Treasury paused");
        address[4] memory recipients = [
            _config().roles.vault,
            _config().treasury.lp.rwaCustody,
            _config().treasury.lp.stablecoinCustody,
            _config().stablecoins[0].stablecoinCustody
        ];
        for (uint256 i; i < recipients.length; ++i) {
            _assertCall(
                admin,
                target,
                abi.encodeCall(token.removeFromWhitelist, (recipients[i])),
                string.concat("Treasury whitelisting of ", vm.toString(recipients[i]))
            );
        }
        _assertCall(
            admin, target, abi.encodeCall(token.addToWhitelist, (DEPLOYER)), "Treasury whitelisting of the deployer"
        );
    }

    function test_Verify_TreasuryDelegateDrifts_NamesTheSetting() public {
        TreasuryDelegate delegate = d.treasuryDelegate;
        address target = address(delegate);
        address issuer = _config().treasury.lp.issuerAdmin;
        uint256 day = delegate.getCurrentDay() + 1;
        _assertCall(issuer, target, abi.encodeCall(delegate.setManagementFee, (1)), "TRSY delegate's management fee");
        bytes memory query = abi.encodeCall(delegate.getDailyRate, (type(uint256).max));
        _assertRead(target, query, abi.encode(1, false), "TRSY delegate's initial rate");
        _assertCall(admin, target, abi.encodeCall(delegate.setMaxDailyRate, (1)), "TRSY delegate's maximum daily rate");
        _assertCall(
            admin, target, abi.encodeCall(delegate.setMaxFallbackRateSeconds, (0)), "TRSY delegate's fallback window"
        );
        vm.warp((day + 1) * 1 days);
        _assertCall(
            _config().treasury.ratePoster,
            target,
            abi.encodeCall(delegate.postDailyRate, (day, 0.04e18)),
            "TRSY delegate's first rate day"
        );
    }

    function test_Verify_RwaDrifts_NamesTheSetting() public {
        CoreSwap core = d.coreSwap;
        address target = address(core);
        address token = d.rwaTokens[1];
        bytes memory query = abi.encodeCall(core.rwaInfo, (CREDIT));
        _assertCall(
            admin,
            target,
            abi.encodeCall(core.setRWAAcceptance, (CREDIT, address(0), token, false)),
            "CREDIT's acceptance"
        );
        _assertRead(target, query, abi.encode(true, false, 6, address(0), token), "CREDIT's decimals");
        _assertRead(target, query, abi.encode(true, true, 18, STRANGER, token), "CREDIT's risk delegate");
        _assertRead(target, query, abi.encode(true, false, 18, address(0), STRANGER), "CREDIT's token");
        _assertCall(
            admin, target, abi.encodeCall(core.setRwaPriceAdapter, (CREDIT, STRANGER)), "CREDIT's price adapter"
        );
        _assertCall(
            admin, target, abi.encodeCall(core.setRwaWhitelistAdapter, (CREDIT, STRANGER)), "CREDIT's whitelist adapter"
        );
    }

    function test_Verify_NavAdapterDrifts_NamesTheSetting() public {
        NavPriceAdapter adapter = d.navAdapters[1];
        address target = address(adapter);
        _assertCall(
            _config().rwas[1].navPoster,
            target,
            abi.encodeCall(adapter.postNav, (_config().rwas[1].navWad + 1)),
            "CREDIT's NAV price"
        );
        _assertRead(target, abi.encodeCall(adapter.maxMovePerPostWad, ()), abi.encode(1), "CREDIT's NAV maximum move");
        _assertRead(
            target, abi.encodeCall(adapter.maxMovePerDayWad, ()), abi.encode(1), "CREDIT's NAV maximum move of a day"
        );
        _assertRead(target, abi.encodeCall(adapter.maxAgeSeconds, ()), abi.encode(1), "CREDIT's NAV maximum age");
    }

    /// @dev Returns a proxy of the implementation, which has another address and the same behavior.
    function _cloneOf(address implementation) private returns (address clone) {
        clone = makeAddr("clone");
        vm.etch(clone, implementation.code);
    }

    function _assertExtraHolder(address target, bytes32 role, string memory what) private {
        _assertCall(admin, target, abi.encodeCall(IAccessControl.grantRole, (role, STRANGER)), what);
    }
}
